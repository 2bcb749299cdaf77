// Asks a question in the terminal.

import { createInterface } from 'node:readline/promises'

/** @returns the answer in small letters; empty when the input ends without one */
export async function askTerminal(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), ended])
  terminal.close()
  return answer.trim().toLowerCase()
}
