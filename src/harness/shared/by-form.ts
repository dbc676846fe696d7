/** One reader made of several, for a harness whose files have had several forms. */

import type { Cell, CellFunction, Reader, SourceForm, Unit } from '../harness.ts';

/** The state of a source, with the form that tells whose state it is. */
interface FormState {
  readonly form: SourceForm;
  readonly inner: unknown;
}

/** Reads each source with the reader of its form; sources of other forms have no rows. */
export function readerByForm(byForm: Partial<Readonly<Record<SourceForm, Reader>>>): Reader {
  const readers = Object.values(byForm);
  return {
    kinds: [...new Set(readers.flatMap(({ kinds }) => kinds))],
    start: (source, context) => ({
      form: source.form,
      inner: byForm[source.form]?.start(source, context),
    }),
    read(state, record, emit, context) {
      const { form, inner } = state as FormState;
      byForm[form]?.read(inner, record, emit, context);
    },
    finish(state, emit, context) {
      const { form, inner } = state as FormState;
      byForm[form]?.finish?.(inner, emit, context);
    },
    save(state) {
      const { form, inner } = state as FormState;
      const reader = byForm[form];
      return { form, inner: reader?.save ? reader.save(inner) : inner };
    },
    restore(saved) {
      const { form, inner } = saved as FormState;
      const reader = byForm[form];
      return { form, inner: reader?.restore ? reader.restore(inner) : inner };
    },
    cells: cellsByForm(byForm),
  };
}

function cellsByForm(byForm: Partial<Readonly<Record<SourceForm, Reader>>>): Reader['cells'] {
  const names = new Set(Object.values(byForm).flatMap(({ cells }) => Object.keys(cells)));
  const cellOf =
    (name: string): CellFunction<Unit> =>
    (unit, context): Cell =>
      byForm[context.source.form]?.cells[name]?.(unit, context) ?? null;
  return Object.fromEntries([...names].map(name => [name, cellOf(name)]));
}
