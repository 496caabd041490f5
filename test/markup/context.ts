import type { MarkupContext } from '../../src/core/markup/context.ts'
import { linkifier } from '../../src/core/markup/inline/linkifier.ts'

const stream = (id: number, name: string) => [name.toLowerCase(), { id, name }] as const

/** The context of all rendering tests. */
export const context: MarkupContext = {
  users: new Map([
    [
      'king hamlet',
      [
        { id: 7, full_name: 'King Hamlet' },
        { id: 9, full_name: 'King Hamlet' },
      ],
    ],
    ['iago', [{ id: 5, full_name: 'Iago' }]],
    ['ana <b>', [{ id: 11, full_name: 'Ana <b>' }]],
  ]),
  groups: new Map([['backend', { id: 3, name: 'backend' }]]),
  streams: new Map([stream(5, 'design'), stream(6, 'core (new) & 1.5%'), stream(8, 'a>b')]),
  customEmoji: new Map([
    ['parrot', { id: '1', url: '/user_avatars/1/emoji/images/1.gif' }],
    ['rocket', { id: '2', url: '/user_avatars/1/emoji/images/2.png' }],
  ]),
  images: new Map(['1/ab/c.png', '1/ab/a.jpg', '1/ab/b.GIF'].map((path) => [path, { src: `/user_uploads/${path}` }])),
  linkifiers: [
    linkifier('#(?P<id>[0-9]+)', 'https://issues.example.com/{id}'),
    linkifier('T-(?P<id>[0-9]+)/(?P<word>[a-z ]+)', 'https://t.example.com/{id}{?word}'),
    linkifier('bad-(?P<id>[0-9]+)', 'javascript:alert({id})'),
    linkifier('dup-(?P<id>[0-9]+)', 'https://first.example.com/{id}'),
    linkifier('(?P<word>dup)-[0-9]+', 'https://second.example.com/{word}'),
  ],
  realmUrl: 'https://chat.example.com',
  translateEmoticons: true,
  now: Date.UTC(2026, 0, 3),
}
