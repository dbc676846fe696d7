/**
 * The result as text: an aligned table for people, a Markdown table for the README.
 */
import { limitsExceeded, type Measurement } from './measure.ts';

/** A query's peak over an idle engine for a small and a large corpus, in MB. */
export interface Growth {
  readonly name: string;
  readonly small_mb: number;
  readonly large_mb: number;
}

/** Peak memory may differ by this much between the small and the large corpus. */
const GROWTH_LIMIT_PERCENT = 20;

const headings = [
  'query',
  'ours CPU s',
  'native CPU s',
  'ratio',
  'limit',
  'ok',
  'peak MB over idle',
  'bytes read',
  'files opened',
  'records parsed',
] as const;

/** The measurements, one row each, below their headings. */
export function measurementRows(measurements: readonly Measurement[]): readonly string[][] {
  return [[...headings], ...measurements.map(measurementRow)];
}

/** The growth of the peaks, one row each, below their headings. */
export function growthRows(
  growths: readonly Growth[],
  [small_corpus_mb, large_corpus_mb]: readonly [number, number],
): readonly string[][] {
  const rows = growths.map(growth => {
    const percent = growthPercent(growth);
    const verdict = percent > GROWTH_LIMIT_PERCENT ? 'over' : 'ok';
    const peaks = [growth.small_mb, growth.large_mb].map(peak => peak.toFixed(0));
    return [growth.name, ...peaks, `${percent.toFixed(0)} %`, `${GROWTH_LIMIT_PERCENT} %`, verdict];
  });
  const corpora = [small_corpus_mb, large_corpus_mb].map(size => `peak MB at ${size} MB`);
  return [['query', ...corpora, 'difference', 'limit', 'ok'], ...rows];
}

/** How much larger the peak is over the large corpus, in percent of the small one's. */
function growthPercent(growth: Growth): number {
  return (growth.large_mb / growth.small_mb - 1) * 100;
}

/** Rows with aligned columns: the first one to the left, numbers to the right. */
export function alignedTable(rows: readonly string[][]): string {
  const widths = columnWidths(rows);
  const lines = rows.map(row => row.map((cell, column) => padded(cell, column, widths)).join('  '));
  return `${lines.join('\n')}\n`;
}

/** Rows as a Markdown table; the first row holds the headings. */
export function markdownTable(rows: readonly string[][]): string {
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return `${[head, rule, ...body].map(row => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

function measurementRow(measurement: Measurement): string[] {
  const { work } = measurement;
  const exceeded = limitsExceeded(measurement);
  return [
    measurement.title,
    measurement.ours_cpu_s.toFixed(3),
    measurement.native_cpu_s.toFixed(3),
    measurement.ratio.toFixed(2),
    measurement.ratio_limit?.toFixed(1) ?? '',
    exceeded.length === 0 ? 'ok' : `over: ${exceeded.join(', ')}`,
    measurement.peak_mb?.toFixed(0) ?? '',
    grouped(work?.bytesRead),
    grouped(work?.filesOpened),
    grouped(work?.recordsParsed),
  ];
}

function grouped(count: number | undefined): string {
  return count === undefined ? '' : count.toLocaleString('en-US');
}

function columnWidths(rows: readonly string[][]): readonly number[] {
  const [head = []] = rows;
  return head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
}

function padded(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
