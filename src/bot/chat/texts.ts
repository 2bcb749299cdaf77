// What the bot itself says around an answer.

import type { AnswerTexts, Note } from '../../chat/parts.ts'
import type { Say } from '../../texts.ts'

export const answerTexts = (say: Say): AnswerTexts => ({
  thinking: say.plain('chat-thinking'),
  sources: say.plain('chat-sources'),
  note: (note) => noteText(say, note),
})

function noteText(say: Say, note: Note): string {
  switch (note.about) {
    case 'proposals':
      return say.plain('chat-proposes')
    case 'stopped':
      return say.plain('chat-stopped')
    case 'broken':
      return say.plain('chat-broken')
    case 'failed':
      if (note.failure.reason === 'refused')
        return say.plain('chat-failed-refused', { said: note.failure.said })
      return say.plain(`chat-failed-${note.failure.reason}`)
  }
}
