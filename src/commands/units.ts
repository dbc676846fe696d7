/** Bytes and durations for people. */

const STEP = 1000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];
const MINUTE_S = 60;
const HOUR_S = 3600;

/** `1.2 GB`, in powers of 1,000. */
export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // 999.95 would round up to a thousand of its unit.
  while (value >= STEP - 0.05 && unit < UNITS.length - 1) {
    value /= STEP;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `45 s`, `2 min 5 s`, `1 h 4 min`; at least a second. */
export function durationText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < MINUTE_S) return `${whole} s`;
  if (whole < HOUR_S) return `${Math.floor(whole / MINUTE_S)} min ${whole % MINUTE_S} s`;
  return `${Math.floor(whole / HOUR_S)} h ${Math.floor((whole % HOUR_S) / MINUTE_S)} min`;
}
