import sharp from 'sharp'
import { endSetUp, openSetUp } from '../src/core/accounts/password-links.ts'
import { setUpPath } from '../src/core/organization/set-up.ts'
import { createChatServer } from '../src/http/index.ts'
import { contextOf, createOrganization, issuePasswordLink, openChat } from '../src/index.ts'
import { manualClock, type TestServer, type TestServerOptions } from '../src/testing/index.ts'
import { answerPreviews, seedExtras } from './screenshots-extras.ts'

const people = [
  ...(['beatrice', 'benedick', 'rosalind', 'orlando', 'viola', 'celia', 'touchstone', 'audrey', 'phebe'] as const),
  ...(['silvius', 'corin', 'jaques', 'oliver', 'adam', 'amiens', 'portia', 'nerissa', 'bassanio', 'antonio'] as const),
] as const
export type SeedName = (typeof people)[number]

const markup = [
  'Here is the whole of it: **bold**, *italic*, ~~gone~~, `code`, :heart: :smile:, and a [link](https://example.com).',
  '```python\nimport asyncio\n\n# Waits a little, then says so\nasync def main(name: str = "world") -> None:\n    await asyncio.sleep(0.5)\n    print(f"hello {name}, {1 + 2}")\n\nasyncio.run(main())\n```',
  '```spoiler What is behind\nA **surprise**.\n```',
  'Euler: $$e^{i\\pi} + 1 = 0$$\n\n```math\n\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\n```',
  '| Option | Cost | When |\n|---|---:|---|\n| Paper | 12 | now |\n| Glass | 340 | in June |\n\n1. first\n2. second\n   * inside\n\n> quoted\n\n---\n\nThe end.',
]

/** A small company that talks, for the screenshots. */
export const seed: TestServerOptions<SeedName> = {
  org: 'Arden & Co.',
  web: true,
  outgoing: { fetch: answerPreviews },
  gifApiKeys: { giphy: 'a key' },
  people,
  clock: manualClock(Date.now()),
  streams: {
    design: {
      members: ['cordelia', 'beatrice', 'benedick', 'rosalind'],
      topics: {
        'new logo': [
          'Three drafts are in the folder. I like the second one best, because it works small too.',
          'The second, yes. Can the green be a bit quieter? On paper it shouts.',
          'Quieter it is.\n\nI also tried it in one color:\n\n* on a dark page\n* on a cup',
          'Oh, the cup.',
          'Which cup?',
        ],
        colors: ['Contrast is 4.7 : 1 now, in both themes.'],
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
    support: {
      members: ['cordelia', 'celia', 'touchstone', 'audrey', 'portia', 'nerissa'],
      topics: {
        'Invoice 2087 shows the wrong currency': [
          'A customer in Zürich sees dollars on their invoice. The account is set to francs.',
          'Reproduced. It only happens if the invoice was created before the account was changed.',
          'Fixed in the next release. The customer knows.',
        ],
        'Exports time out for large accounts': ['Third report this week. Who knows the export code?', 'I do. Looking.'],
        'How do I reset a second factor?': 3,
      },
    },
    marketing: {
      members: ['cordelia', 'phebe', 'silvius', 'jaques', 'beatrice'],
      topics: {
        'Spring campaign': [
          'First draft of the landing page: https://example.com/spring. Comments until Friday, please.',
          'The headline is great. I would move the prices up.',
        ],
        'Trade fair in Lyon': 5,
      },
    },
    hiring: { private: true, members: ['cordelia', 'rosalind', 'portia'], topics: { 'Backend engineer': 6 } },
    random: {
      members: ['cordelia', 'oliver', 'adam', 'amiens', 'corin', 'bassanio', 'antonio', 'orlando', 'viola'],
      topics: {
        'Photos from the summer party': 8,
        'Coffee machine': ['It is repaired. Long live the coffee machine.'],
      },
    },
    'office-berlin': { members: ['cordelia', 'corin', 'adam'], topics: { 'New desks': 2 } },
    wishes: { members: ['iago'], topics: { 'topic 1': 1 } },
    moderators: { private: true, members: ['iago', 'cordelia'] },
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
      reactions: { heart: ['cordelia'] },
    },
    { from: 'benedick', to: ['cordelia', 'beatrice'], content: 'The printers want an answer today.' },
  ],
}

const names = {
  cordelia: 'Cordelia Lear',
  beatrice: 'Beatrice Lane',
  benedick: 'Benedick of Padua',
  rosalind: 'Rosalind Arden',
  orlando: 'Orlando de Boys',
  viola: 'Viola',
  celia: 'Celia Duke',
  touchstone: 'Touchstone',
  audrey: 'Audrey Goatherd',
  phebe: 'Phebe Shepherd',
  silvius: 'Silvius Shepherd',
  corin: 'Corin Field',
  jaques: 'Jaques de Melancholy',
  oliver: 'Oliver de Boys',
  adam: 'Adam Old',
  amiens: 'Amiens Singer',
  portia: 'Portia of Belmont',
  nerissa: 'Nerissa Maid',
  bassanio: 'Bassanio Venice',
  antonio: 'Antonio Merchant',
  hamlet: 'Hamlet',
  polonius: 'Polonius',
  iago: 'Iago',
} as const

/** A drawing of a cup with a sign on it. */
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="200" viewBox="0 70 900 430">
  <rect width="900" height="560" fill="#e9eee8"/><path d="M640 200h60a70 70 0 0 1 0 140h-60" fill="none" stroke="#f7f5f0" stroke-width="36"/>
  <path d="M280 130h360v240a70 70 0 0 1-70 70H350a70 70 0 0 1-70-70z" fill="#fbfaf7"/>
  <path d="M460 200c70 30 80 120 0 170-80-50-70-140 0-170z" fill="#4b7f63"/><path d="M460 230v150" stroke="#e9eee8" stroke-width="8"/></svg>`

/** Gives people names, and has them mention each other. */
async function seedNames({ people }: TestServer<SeedName>): Promise<void> {
  const { iago, beatrice, benedick, rosalind, viola } = people
  for (const [name, full_name] of Object.entries(names))
    await iago.api.patch(`/users/${people[name as keyof typeof names].id}`, { full_name })
  const png = await sharp(Buffer.from(drawing)).png().toBuffer()
  const { url } = await benedick.api.upload('/user_uploads', new Uint8Array(png), 'cup.png')
  const logo = { stream: 'design', topic: 'new logo' } as const
  await benedick.says(`This one. [cup.png](${url})`, logo)
  const { id } = await benedick.says('@**Cordelia Lear** could you look at it?', logo)
  const react = (who: typeof beatrice, emoji_name: string) => who.api.post(`/messages/${id}/reactions`, { emoji_name })
  await react(beatrice, 'heart')
  await react(rosalind, 'heart')
  await viola.says(
    '```quote\nShall we meet?\n```\nYes. @**Cordelia Lear** <time:2026-11-21T14:05:00Z> suits me, and @_**Viola** too; see #**design>new logo**.',
    { stream: 'engineering', topic: 'markup' },
  )
}

/** Fills each page of settings. Cordelia becomes an owner, so that she sees all of them. */
export async function seedSettings(server: TestServer<SeedName>): Promise<void> {
  const { people, chat } = server
  await seedNames(server)
  await people.hamlet.api.post('/mark_all_as_read')
  await people.iago.api.patch('/realm', { message_content_edit_limit_seconds: 'unlimited' })
  const { iago, cordelia, beatrice, benedick, rosalind } = people
  await iago.api.patch(`/users/${cordelia.id}`, { role: 100 })
  const { api } = cordelia
  const group = (name: string, description: string, who: readonly { id: number }[]) =>
    api.post('/user_groups/create', { name, description, members: who.map(({ id }) => id) })
  const { group_id } = await group('designers', 'Everybody who draws', [cordelia, beatrice, benedick])
  await group('leads', 'Who decides', [cordelia, rosalind])
  await api.patch(`/user_groups/${group_id}`, {
    can_mention_group: { new: { direct_members: [rosalind.id, cordelia.id], direct_subgroups: [] } },
  })
  await beatrice.api.post('/users/me/status', { status_text: 'In a meeting' })
  await rosalind.api.post('/users/me/status', { status_text: 'On vacation until Monday' })
  await api.post('/bots', { short_name: 'builds', full_name: 'Builds', bot_type: 1 })
  await api.post('/bots', { short_name: 'github', full_name: 'GitHub', bot_type: 2 })
  await beatrice.api.post('/bots', { short_name: 'weather', full_name: 'Weather', bot_type: 1 })
  await api.post('/users/me/alert_words', { alert_words: ['logo', 'deploy'] })
  await api.post(`/users/me/muted_users/${people.polonius.id}`)
  await api.post('/invites/multiuse', { invite_expires_in_minutes: 10_080 })
  await api.post('/invites', { invitee_emails: 'lorenzo@example.com, jessica@example.com', stream_ids: [] })
  for (const one of [benedick, people.orlando, people.viola])
    await one.api.post('/users/me/presence', { status: 'active', new_user_input: true })
  const linkifier = (pattern: string, url_template: string) => api.post('/realm/filters', { pattern, url_template })
  await linkifier('#(?P<id>[0-9]+)', 'https://git.example.com/arden/issues/{id}')
  await linkifier('INV-(?P<number>[0-9]{4})', 'https://books.example.com/invoices/{number}')
  const playground = { pygments_language: 'Python', url_template: 'https://example.com/run?code={code}' }
  await api.post('/realm/playgrounds', { ...playground, name: 'Python playground' })
  await api.post('/realm/webhook_templates', {
    name: 'builds',
    content: '**{{ title | link: url }}** is {{ status }}',
    topic: '{{ project.name }}',
    event: '{{ status }}',
  })
  await api.post('/realm/webhook_templates', { name: 'backups', content: '{{ message }}' })
  await api.post('/realm/domains', { domain: 'example.com', allow_subdomains: true })
  await api.post('/realm/profile_fields', { name: 'Works from', hint: 'A city', field_type: 1 })
  await api.post('/realm/profile_fields', { name: 'Birthday', hint: '', field_type: 4 })
  await api.post('/realm/profile_fields', { name: 'Mentor', hint: 'Whom to ask', field_type: 6 })
  await api.post('/export/realm', { export_type: 1 })
  await seedExtras(server)
  await spreadTimes(chat)
}

const MINUTE = 60

/** A world's messages all have the same time. This spreads them over the last hours. */
const spreadTimes = (chat: TestServer<SeedName>['chat']): Promise<void> =>
  contextOf(chat).write(async ({ db }) => {
    const now = Math.floor(chat.clock.now() / 1000)
    await db
      .updateTable('api_key')
      .set({ created_at: now - 40 * MINUTE })
      .execute()
    const messages = await db.selectFrom('message').select('id').orderBy('id', 'desc').execute()
    for (const [at, { id }] of messages.entries()) {
      await db
        .updateTable('message')
        .set({ sent_at: now - 3 * MINUTE * (at + 1) })
        .where('id', '=', id)
        .execute()
    }
  })

/** A chat right after its setup. */
export async function firstRun() {
  const chat = await openChat({ passwordCost: 4 })
  const owner = await createOrganization(chat, {
    org: 'Arden & Co.',
    owner_email: 'rosalind@example.com',
    owner_name: 'Rosalind Arden',
  })
  const server = await createChatServer({ chat, port: 0, web: true })
  return {
    url: server.url,
    owner,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await chat.close()
    },
  }
}

/** Sets whether people without an account may read a stream. */
export async function openToAll({ people }: TestServer<SeedName>, isOpen: boolean): Promise<void> {
  const { stream_id } = await people.iago.api.get('/get_stream_id', { stream: 'engineering' })
  if (isOpen) await people.iago.api.patch('/realm', { enable_spectator_access: true })
  await people.iago.api.patch(`/streams/${stream_id}`, { is_web_public: isOpen })
  if (!isOpen) await people.iago.api.patch('/realm', { enable_spectator_access: false })
}

/** The pages that links open for people who have no account yet. */
export async function pagesByLink({ people, chat }: TestServer<SeedName>): Promise<Readonly<Record<string, string>>> {
  const { invite_link } = await people.iago.api.post('/invites/multiuse')
  const { path } = await people.iago.write((tx) => issuePasswordLink(tx, people.viola.id))
  await people.iago.write(async (tx) => {
    const { uuid } = await tx.db.selectFrom('organization').select('uuid').executeTakeFirstOrThrow()
    await endSetUp(tx, people.iago.id)
    await openSetUp(tx, people.iago.id, uuid)
  })
  return {
    join: new URL(invite_link).pathname + new URL(invite_link).search,
    password: path,
    'set-up': (await setUpPath(contextOf(chat)))!,
  }
}
