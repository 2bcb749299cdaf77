// Mistakes in the delivery of results.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const resultMutants: readonly Mutant[] = [
  {
    name: 'again-lacks-a-file',
    mistake: 'a result that is asked for in the history comes without its last file',
    faults: { ...calm, outside: 0 },
    changes: [
      {
        file: 'src/orders/deliver/resend.ts',
        find: 'for (const artifact of job.artifacts.filter((one) => !done.includes(one))) {',
        put: 'for (const artifact of job.artifacts.slice(0, -1).filter((one) => !done.includes(one))) {',
      },
    ],
  },
  {
    name: 'original-is-a-photo',
    mistake: 'a picture that is asked for as it was made is sent as a photo',
    faults: { ...calm, outside: 0 },
    changes: [
      {
        file: 'src/orders/deliver/resend.ts',
        find: "bare: { caption: '' }, care: 'document' }",
        put: "bare: { caption: '' } }",
      },
    ],
  },
  {
    name: 'refused-photo-is-a-link',
    mistake: 'a picture that Telegram refuses as a photo is not sent as a document',
    faults: { ...calm, outside: 0.05, operations: /^(sendPhoto|editMessageMedia)$/, ways: /^4(00|13)$/ },
    changes: [
      {
        file: 'src/orders/deliver/forms.ts',
        find: "return { kind: 'image', forms: [asPhoto, asDocument(file)] }",
        put: "return { kind: 'image', forms: [asPhoto] }",
      },
    ],
  },
  {
    name: 'sent-files-again',
    mistake: 'a repeated attempt sends the files again that are already in the chat',
    // An album that is refused is sent one by one; then a request that is lost leaves a part of it in the chat.
    faults: {
      ...calm,
      outside: 0.04,
      operations: /^(sendMediaGroup|sendPhoto|sendAudio)$/,
      ways: /^(400|request lost)$/,
      forger: 0,
    },
    changes: [
      {
        file: 'src/orders/deliver/send.ts',
        find: 'artifacts.filter((one) => isUnsent(one) && !album.includes(one))',
        put: 'artifacts.filter((one) => !album.includes(one))',
      },
    ],
  },
  {
    name: 'tracks-share-message',
    mistake: 'the second track of a song replaces the first one in the chat',
    faults: calm,
    changes: [
      {
        file: 'src/orders/deliver/job.ts',
        find: 'const statusToReplace = target || artifacts.length > 1 ? undefined : replacedStatusOf(generation)',
        put: 'const statusToReplace = target ? undefined : replacedStatusOf(generation)',
      },
    ],
  },
]
