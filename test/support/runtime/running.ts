// Tells whether a process still runs, for the clean-up after killed test runs.

export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
