// The forms in which a file that Telegram has can be sent again by its id.

import type { Delivers } from '../catalog/model.ts'
import type { Artifact } from '../generations/generation.ts'

export type SentForm = 'photo' | 'video' | 'voice' | 'audio' | 'document'

/**
 * A file id only works for the method of the same kind, so several are tried. What was sent as a document has the same id as its
 * original; speech may have been sent as a track.
 */
export function sentForms(
  kind: Delivers['kind'] | undefined,
  { fileId, originalFileId }: Artifact,
): readonly SentForm[] {
  if (fileId === null) return []
  if (fileId === originalFileId) return ['document']
  switch (kind) {
    case 'image':
      return ['photo', 'document']
    case 'voice':
      return ['voice', 'audio', 'document']
    case 'audio':
      return ['audio', 'document']
    case 'video':
      return ['video', 'document']
    default:
      return ['document']
  }
}
