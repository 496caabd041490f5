import { manualClock, type TestServerOptions } from '../src/testing/index.ts'

const people = ['beatrice', 'benedick', 'rosalind', 'orlando', 'viola'] as const
export type SeedName = (typeof people)[number]

const markup = [
  'Here is the whole of it: **bold**, *italic*, ~~gone~~, `code`, :tada: :octopus:, and a [link](https://example.com).',
  '```python\nimport asyncio\n\n# Waits a little, then says so\nasync def main(name: str = "world") -> None:\n    await asyncio.sleep(0.5)\n    print(f"hello {name}, {1 + 2}")\n\nasyncio.run(main())\n```',
  '```quote\nShall we meet?\n```\nYes. @**cordelia** <time:2026-11-21T14:05:00Z> suits me, and @_**viola** too; see #**design>new logo**.',
  '```spoiler What is behind\nA **surprise**.\n```',
  'Euler: $$e^{i\\pi} + 1 = 0$$\n\n```math\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n```',
  '| Option | Cost | When |\n|---|---:|---|\n| Paper | 12 | now |\n| Glass | 340 | in June |\n\n1. first\n2. second\n   * inside\n\n> quoted\n\n---\n\nThe end.',
]

/** A small company that talks, for the screenshots. */
export const seed: TestServerOptions<SeedName> = {
  org: 'Arden & Co.',
  web: true,
  people,
  clock: manualClock(Date.now()),
  streams: {
    design: {
      members: ['cordelia', 'beatrice', 'benedick', 'rosalind'],
      topics: {
        'new logo': [
          'Three drafts are in the folder. I like the second one best, because it works small too.',
          'The second, yes. Can the green be a bit quieter? On paper it shouts.',
          'Quieter it is.\n\nI also tried it in one colour:\n\n* on a dark page\n* on a cup',
          'Oh, the cup.',
          'Which cup?',
        ],
        colours: ['Contrast is 4.7 : 1 now, in both themes.'],
      },
    },
    engineering: {
      members: ['cordelia', 'orlando', 'viola', 'rosalind'],
      topics: {
        markup,
        'slow search': [
          'Search takes 180 ms at a million messages.',
          'It was 18 s last month, so I am not worried. What is the target?',
          '`100 ms`. The profile says that highlighting is most of it.',
        ],
        deploys: 4,
        'A topic with a rather long name that does not fit': ['It must be cut off somewhere.'],
        '✔ flaky test': ['Fixed.'],
      },
    },
    announcements: {
      members: ['cordelia', 'beatrice', 'orlando'],
      topics: { 'all hands': ['On Thursday at ten, in the big room.'] },
    },
    leads: { private: true, members: ['cordelia', 'rosalind'], topics: { budget: ['The numbers are in.'] } },
  },
  messages: [
    {
      from: 'beatrice',
      stream: 'design',
      topic: 'lunch',
      content: '/poll Where do we eat?\nThe Bear\nAt home\nAt the river',
    },
    { from: 'beatrice', stream: 'design', topic: 'lunch', content: '/todo For the picnic\nBread: two loaves\nCheese' },
    { from: 'beatrice', to: ['cordelia'], content: 'Do you have a minute for the logo?' },
    { from: 'cordelia', to: ['beatrice'], content: 'Sure, after the deploy.' },
    {
      from: 'beatrice',
      to: ['cordelia'],
      content: 'Thank you! I am at my desk until five.',
      reactions: { thumbs_up: ['cordelia'] },
    },
    { from: 'benedick', to: ['cordelia', 'beatrice'], content: 'The printers want an answer today.' },
    {
      from: 'benedick',
      stream: 'design',
      topic: 'new logo',
      content: '@**cordelia** could you look at the cup?',
      reactions: { tada: ['beatrice', 'rosalind'], octopus: ['beatrice'] },
    },
  ],
}
