// The sentences that answers are composed of, in English and Russian. The same question always gets the same answer.

const en = {
  greeting: 'Hello! Ask me anything: I can explain, plan, write and help with code.',
  seen: (n: number) =>
    n === 1 ? 'I have looked at what you attached.' : `I have looked at all ${n} attachments.`,
  /** What is understood of every recording. */
  heard: 'Where do I begin?',
  listened: 'I have listened to what you sent.',
  opening: (topic: string) => `About “${topic}”: the short answer is to take it *one step at a time*.`,
  points: [
    '**Begin with the goal.** Say in one sentence what should be different afterwards.',
    '**Try the smallest version first.** It shows quickly what was missing from the plan.',
    '**Check the result** against the goal and only then go on to the next step.',
  ],
  closing: 'Shall I go into the details of one of these?',
  section: (number: number, topic: string) =>
    `## ${number}. A closer look at “${topic}”\n\nWhat looks like one question is usually several, and they are easier to ` +
    `answer apart. First comes what is known for certain, then what can be found out cheaply, and last what has to be ` +
    `decided without knowing.\n\n- What is known: write it down, so that nobody argues about it twice.\n` +
    `- What can be found out: give it a day, not a month.\n- What must be decided: choose what is *easy to undo*.`,
  thinking: (topic: string) =>
    `The user asks about “${topic}”. I should give a short answer first and then the steps.`,
  source: (topic: string) => `What is written about “${topic}”`,
}

const ru: typeof en = {
  greeting:
    'Здравствуйте! Спрашивайте о чём угодно: объясню, составлю план, напишу текст или помогу с программой.',
  seen: (n) => (n === 1 ? 'Я посмотрел то, что вы приложили.' : `Я посмотрел все вложения (${n}).`),
  heard: 'С чего мне начать?',
  listened: 'Я прослушал то, что вы прислали.',
  opening: (topic) => `Про «${topic}» коротко: лучше двигаться *шаг за шагом*.`,
  points: [
    '**Начните с цели.** Одним предложением: что должно измениться в итоге.',
    '**Сначала попробуйте самое простое.** Так быстрее видно, чего не хватало в плане.',
    '**Сверьте результат** с целью и только потом переходите к следующему шагу.',
  ],
  closing: 'Рассказать о каком-нибудь из пунктов подробнее?',
  section: (number, topic) =>
    `## ${number}. Подробнее: «${topic}»\n\nТо, что кажется одним вопросом, обычно состоит из нескольких, и по отдельности ` +
    `на них проще ответить. Сначала идёт то, что известно точно, затем то, что можно быстро узнать, и в конце то, что ` +
    `придётся решать наугад.\n\n- Что известно: запишите, чтобы не спорить об этом дважды.\n` +
    `- Что можно узнать: дайте на это день, а не месяц.\n- Что нужно решить: выбирайте то, что *легко отменить*.`,
  thinking: (topic) => `Спрашивают про «${topic}». Сначала дам короткий ответ, затем шаги.`,
  source: (topic) => `Что пишут про «${topic}»`,
}

export const wordsFor = (text: string): typeof en => (/[а-яё]/i.test(text) ? ru : en)

/** The beginning of a text for quoting: in one line, without marks such as `[long]`. */
export function topicOf(text: string): string {
  const line = text
    .replaceAll(/\[[a-z]+\]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 60 ? `${startOf(line, 60).replace(/\s\S*$/, '')}…` : line
}

/** The first `length` UTF-16 units of a text, or one fewer if a character would be split. */
export const startOf = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '')
