// Reads files of users from Telegram. Their URLs contain the bot token, so no URL, and no error that contains one, leaves this
// module.

import { type Api, GrammyError } from 'grammy'
import { request } from '../runtime/undici.ts'

type FileRead =
  | { readonly ok: true; readonly bytes: Buffer }
  /** Gone, or larger than `maxBytes`: a retry is no use. */
  | { readonly ok: false; readonly reason: 'gone' | 'too-large' }
  | { readonly ok: false; readonly reason: 'unavailable' }

export interface Files {
  read(fileId: string, maxBytes: number): Promise<FileRead>
}

const timeoutMs = 60_000

/** @param root of the Bot API server, which also serves the files */
export function createFiles(api: Api, root: string): Files {
  return {
    async read(fileId, maxBytes) {
      try {
        const { file_path: path, file_size: size = 0 } = await api.getFile(fileId)
        if (size > maxBytes) return { ok: false, reason: 'too-large' }
        if (path === undefined) return { ok: false, reason: 'gone' }
        return await fetchFile(`${root}/file/bot${api.token}/${path}`, maxBytes)
      } catch (error) {
        const isGone = error instanceof GrammyError && error.error_code === 400
        return { ok: false, reason: isGone ? 'gone' : 'unavailable' }
      }
    },
  }
}

async function fetchFile(address: string, maxBytes: number): Promise<FileRead> {
  const { statusCode, body } = await request(address, { signal: AbortSignal.timeout(timeoutMs) })
  if (statusCode !== 200) {
    await body.dump()
    return { ok: false, reason: statusCode === 404 ? 'gone' : 'unavailable' }
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) return { ok: false, reason: 'too-large' }
    chunks.push(chunk)
  }
  return { ok: true, bytes: Buffer.concat(chunks) }
}
