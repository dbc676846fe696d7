/** The tools that run commands of a shell. */

const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell']);

/** Whether a tool runs shell commands. */
export const isShell = (tool: string): boolean => SHELLS.has(tool);
