const users = [
  {
    id: 'U1',
    name: 'ann',
    is_primary_owner: true,
    tz: 'Europe/Vienna',
    profile: { real_name: 'Ann', email: 'ann@example.com', title: 'Cook', image_512: 'https://a.example/1.png' },
  },
  { id: 'U2', name: 'bob', deleted: true, profile: { real_name: 'Bob', email: 'bob@example.com' } },
  { id: 'U3', name: 'cid', is_restricted: true, profile: { real_name: 'Cid' } },
  { id: 'U4', name: 'robot', is_bot: true, profile: { real_name: 'Robot', bot_id: 'B1', email: 'robot@example.com' } },
  { id: 'U00', name: 'placeholder' },
]
export const root = 1_700_000_000
const message = (seconds: number, user: string, text: string, more: object = {}) => ({
  type: 'message',
  user,
  text,
  ts: `${root + seconds}.000100`,
  ...more,
})
const thread = `${root + 10}.000100`
const day = (seconds: number) => new Date((root + seconds) * 1000).toISOString().slice(0, 10)

/** A small export of Slack with one of everything. */
export const slackExport = () => ({
  'users.json': users,
  'channels.json': [
    {
      id: 'C1',
      name: 'kitchen',
      created: root - 1000,
      creator: 'U1',
      members: ['U1', 'U2'],
      purpose: { value: 'Where we cook' },
      pins: [{ id: `${root + 10}.000100`, user: 'U1' }],
    },
    { id: 'C2', name: 'old', is_archived: true, members: [] },
  ],
  'groups.json': [{ id: 'G1', name: 'secret', members: ['U1', 'U3'] }],
  'mpims.json': [{ id: 'M1', name: 'mpdm-ann--bob--cid-1', members: ['U1', 'U2', 'U3'] }],
  'dms.json': [{ id: 'D1', members: ['U1', 'U3'] }],
  'integration_logs.json': [{}, {}],
  [`kitchen/${day(0)}.json`]: [
    message(0, 'U2', '<@U2> has joined', { subtype: 'channel_join' }),
    message(10, 'U1', 'What is for *lunch* today, <@U2>?', { thread_ts: thread, reply_count: 2 }),
    message(11, 'U2', 'soup', { thread_ts: thread, reactions: [{ name: '+1', users: ['U1', 'U3'], count: 3 }] }),
    message(20, 'U9', 'from elsewhere', { user_profile: { real_name: 'Zoe' } }),
    { type: 'message', subtype: 'bot_message', bot_id: 'B1', text: 'beep', ts: `${root + 21}.000100` },
    {
      type: 'message',
      subtype: 'bot_message',
      bot_id: 'B7',
      username: 'Deploy',
      text: '',
      attachments: [{ title: 'Build', title_link: 'https://ci.example/1', text: 'passed' }],
      ts: `${root + 22}.000100`,
    },
    message(23, 'U1', 'waves', { subtype: 'me_message', edited: { ts: `${root + 30}.000000` } }),
    message(24, 'U1', 'a menu', {
      files: [
        { id: 'F1', name: 'menu.txt', mimetype: 'text/plain', user: 'U1' },
        { id: 'F2', name: 'lost.txt', url_private: 'https://files.example/F2?t=xoxe-1' },
      ],
    }),
    message(25, 'U1', '', {}),
  ],
  [`kitchen/${day(90_000)}.json`]: [
    message(90_000, 'U1', 'more', { thread_ts: thread }),
    message(90_001, 'U1', 'another day'),
  ],
  [`secret/${day(0)}.json`]: [message(5, 'U3', 'psst')],
  [`mpdm-ann--bob--cid-1/${day(0)}.json`]: [message(6, 'U1', 'we three')],
  [`D1/${day(0)}.json`]: [message(7, 'U3', 'we two')],
  '__uploads/F1/menu.txt': 'soup\n',
})
