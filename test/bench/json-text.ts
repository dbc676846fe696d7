/**
 * JSON under construction: a list of byte pieces, so that a long text is only copied into the file.
 */

/** Pieces of JSON text, to be written one after another. */
export type JsonText = readonly Buffer[];

/** What may stand in the gaps of `json`: strings are ASCII and copied unescaped, without quotes. */
export type JsonPart = string | number | boolean | null | JsonText;

/**
 * A template whose literal parts are JSON syntax in ASCII: `` json`{"name":"${name}"}` ``.
 * Line breaks in it, with the indentation after them, are layout and left out.
 */
export function json(template: TemplateStringsArray, ...parts: readonly JsonPart[]): JsonText {
  const literals = withoutLayout(template);
  const pieces: Buffer[] = [];
  let pending = literals[0] ?? '';
  for (const [index, part] of parts.entries()) {
    if (isJsonText(part)) {
      pieces.push(Buffer.from(pending, 'latin1'), ...part);
      pending = '';
    } else {
      pending += String(part);
    }
    pending += literals[index + 1] ?? '';
  }
  pieces.push(Buffer.from(pending, 'latin1'));
  return pieces;
}

/** A JSON array of the given elements. */
export function jsonArray(elements: readonly JsonText[]): JsonText {
  const separated = elements.map((element, index) => (index === 0 ? element : json`,${element}`));
  return json`[${separated.flat()}]`;
}

/** Every place in the code has one template object, so its literals are cleaned once. */
const cleaned_literals = new WeakMap<TemplateStringsArray, readonly string[]>();

function withoutLayout(template: TemplateStringsArray): readonly string[] {
  const known = cleaned_literals.get(template);
  if (known !== undefined) return known;
  const literals = template.map(literal => literal.replace(/\n */g, ''));
  cleaned_literals.set(template, literals);
  return literals;
}

function isJsonText(part: JsonPart): part is JsonText {
  return Array.isArray(part);
}
