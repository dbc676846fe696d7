/**
 * Loaded before every measured program: tells, at its exit, what the process cost.
 */
import { readFileSync, writeSync } from 'node:fs';

/** The descriptor that the bench listens to. */
const REPORT_DESCRIPTOR = 3;

process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const cpu_s = (userCPUTime + systemCPUTime) / 1e6;
  const peak_bytes = peakOfThisProgram() ?? maxRSS * 1024;
  writeSync(REPORT_DESCRIPTOR, JSON.stringify({ cpu_s, peak_bytes }));
});

/**
 * Linux hands `maxRSS` on from the parent through exec, so a small child of a large bench would
 * report the bench; `VmHWM` begins anew with the program. Null on other systems.
 */
function peakOfThisProgram(): number | null {
  try {
    const status = readFileSync('/proc/self/status', 'latin1');
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? null : Number(kibibytes) * 1024;
  } catch {
    return null;
  }
}
