// The facts that Telegram gives of the file in a message.

import type { FileFacts } from '../catalog/attachment.ts'

/** The fields that Telegram's kinds of files have in common. */
export interface TelegramFile {
  readonly file_id: string
  readonly file_size?: number
  readonly mime_type?: string
  readonly width?: number
  readonly height?: number
  readonly length?: number
  readonly duration?: number
}

/** The facts without the type, which is stated by whoever sent the file. Telegram gives zeros for sizes that it does not know. */
export function measuresOf({ file_size, duration, length, ...file }: TelegramFile): Omit<FileFacts, 'mime'> {
  const { width = length, height = length } = file
  return {
    ...(file_size === undefined ? {} : { bytes: file_size }),
    ...(width && height ? { width, height } : {}),
    ...(duration === undefined ? {} : { seconds: duration }),
  }
}
