// Mistakes in questions to text models.

import { calm } from '../faults/profile.ts'
import type { Mutant } from './mutant.ts'

export const answerMutants: readonly Mutant[] = [
  {
    name: 'rates-of-another-model',
    mistake: 'an answer is charged at the rates of the first model instead of the one that was chosen',
    faults: calm,
    changes: [
      {
        file: 'src/chat/begin.ts',
        find: 'return offered.find(({ id }) => id === conversation.modelId) ?? offered[0]',
        put: `const chosen = offered.find(({ id }) => id === conversation.modelId)
  return chosen ? { ...chosen, rates: offered[0]?.rates } : offered[0]`,
      },
    ],
  },
  {
    name: 'picture-is-left-out',
    mistake: 'a question about a picture is asked without it',
    faults: calm,
    changes: [
      {
        file: 'src/chat/begin.ts',
        find: 'const images = await imagesOf(deps, files)',
        put: 'const images = await imagesOf(deps, files.slice(1))',
      },
    ],
  },
  {
    name: 'mode-is-left-out',
    mistake: 'a question is asked without the web search that its person switched on',
    faults: calm,
    changes: [
      {
        file: 'src/chat/begin.ts',
        find: 'const modes = sentModes(model, conversation.modes)',
        put: 'const modes = sentModes(model, { ...conversation.modes, search: false })',
      },
    ],
  },
  {
    name: 'stopped-answer-is-dear',
    mistake: 'an answer that its person stopped costs four times what is shown',
    faults: calm,
    changes: [
      {
        file: 'src/chat/answer.ts',
        find: 'sources: finished?.sources ?? [], ...usage, captured, rates',
        put: "sources: finished?.sources ?? [], ...usage, captured: how.state === 'stopped' ? captured * 4n : captured, rates",
      },
    ],
  },
  {
    name: 'part-of-a-prompt-is-paid',
    mistake: 'a translation of a prompt that broke off is paid for in part',
    faults: { ...calm, operations: /^chat$/ },
    changes: [
      {
        file: 'src/chat/answer.ts',
        find: "if (!isWhole) return { state: 'failed', shown,",
        put: "if (!isWhole) return { state: 'stopped', shown,",
      },
    ],
  },
]
