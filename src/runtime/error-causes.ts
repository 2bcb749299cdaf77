// Error messages for a terminal.

/** The message of an error and of each of its causes; a code or a name where a message is empty. */
export function causesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const code = 'code' in error ? String(error.code) : error.name
  return [error.message || code, ...(error.cause ? causesOf(error.cause) : [])]
}
