// Whether a process is still there, for what killed test runs leave behind.

export function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}
