// Mistakes in what many pieces of work do together: shared connections, gathered writes, reads and messages for many.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const togetherMutants: readonly Mutant[] = [
  {
    name: 'conversation-unread',
    mistake:
      'the claim of updates does not return the states of conversations, so answers to the bot are taken for questions',
    faults: calm,
    changes: [
      {
        file: 'src/updates/known.ts',
        find: 'value: state?.value }',
        put: 'value: state && undefined }',
      },
    ],
  },
  {
    name: 'mark-misses-its-batch',
    mistake:
      'an update that ends while others are being marked as handled joins their batch, which has been sent',
    faults: { ...calm, lateMs: 20 },
    changes: [
      {
        file: 'src/runtime/gather.ts',
        find: '    const close = () => {\n      open = undefined\n      return write(items)\n    }',
        put: '    const close = async () => {\n      await write([...items])\n      open = undefined\n    }',
      },
    ],
  },
  {
    name: 'files-of-the-first',
    mistake: 'of deliveries that are claimed together, the first one gets the files of all',
    faults: calm,
    changes: [
      {
        file: 'src/generations/artifacts.ts',
        find: 'for (const [file] of found) files.get(file.generationId)?.push(file)',
        put: 'for (const [file] of found) files.get(found[0]?.[0].generationId ?? file.generationId)?.push(file)',
      },
    ],
  },
  {
    name: 'task-of-a-neighbour',
    mistake: 'of orders that are claimed together, each is asked about by the task of the first one',
    faults: calm,
    changes: [
      {
        file: 'src/tracker/queue.ts',
        find: '  const held = found.map(([generation]) => generation)\n',
        put: `  const first = found[0]?.[0].taskId
  const held = found.map(([one]) => (kind === 'look' && first ? { ...one, taskId: first } : one))
`,
      },
    ],
  },
]
