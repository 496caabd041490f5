import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import test from 'node:test'
import { services } from '../../../src/core/bots/incoming/table.ts'
import { onPostgres } from '../../dialect.ts'
import { rounds } from '../../rounds.ts'
import { examples } from './examples.ts'
import { githubExamples } from './github-events.ts'
import { gitlabExamples, gitlabFiles } from './gitlab-events.ts'
import { fixture, post, withWebhook } from './receive.ts'

/** What people may write anywhere in another service. */
const HOSTILE = `@**all** # Heading [link](https://evil.example) ~~~
# Heading
~~~~~
* # Heading
> ## Heading
[link](https://evil.example)
\`\`\`
@**all** @_**all** @*admins*
# Heading`

/** Fields that have Markdown on purpose, whose authors meant headings and links: by service, with the reason. */
const markdown: Readonly<Record<string, readonly [field: RegExp, reason: string]>> = {
  github: [/(^|\.)(body|comment)$/, 'Descriptions, comments and release notes are Markdown.'],
  gitlab: [/(^|\.)(description|note)$/, 'Descriptions and comments are Markdown.'],
  gitea: [/\.(body|content)$/, 'As at GitHub.'],
  forgejo: [/\.(body|content)$/, 'As at GitHub.'],
  bitbucket: [/\.(raw|description)$/, 'Descriptions and the raw form of comments are Markdown.'],
  linear: [/\.(body|description)$/, 'Descriptions and comments are Markdown.'],
  sentry: [/^data\.comment$/, 'Comments are Markdown.'],
  trello: [/^action\.data\.text$/, 'Comments are Markdown.'],
  homeassistant: [/^(content|message)$/, 'People word these messages for this chat.'],
  ifttt: [/^(content|message)$/, 'People word these messages for this chat.'],
  zapier: [/^(content|message)$/, 'People word these messages for this chat.'],
  discord: [/^(content|embeds\.\d+\.(description|fields\.\d+\.value))$/, 'Webhooks of Discord send Markdown.'],
  slack_incoming: [/^blocks\.\d+\.text$/, 'Blocks of the type markdown.'],
}

interface Sample {
  readonly service: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload: unknown
}

const recorded = (service: string, headerOf: (file: string) => Record<string, string>): Sample[] =>
  readdirSync(new URL(`../../fixtures/${service}`, import.meta.url)).map((file) => {
    const name = file.replace('.json', '')
    return { service, headers: headerOf(name), payload: fixture(`${service}/${name}`) }
  })

const block = (type: string, more: object) => ({ blocks: [{ type, ...more }] })
const richText = (type: string, ...elements: object[]) => block('rich_text', { elements: [{ type, elements }] })
const said = { type: 'plain_text', text: 'x' }
/** Without blocks of the type header, which are headings on purpose. */
const slack: readonly object[] = [
  { text: 'x', username: 'x', icon_emoji: ':x:' },
  block('markdown', { text: 'x' }),
  block('section', {
    text: { type: 'mrkdwn', text: 'x' },
    fields: [said, 'x'],
    accessory: { type: 'button', text: said },
  }),
  block('context', {
    elements: [said, { type: 'mrkdwn', text: 'x' }, { type: 'image', image_url: 'x', alt_text: 'x' }],
  }),
  block('image', { title: said, image_url: 'https://example.com/x.png', alt_text: 'x' }),
  block('video', { title: said, video_url: 'https://example.com/x' }),
  block('input', { label: said }),
  block('table', { rows: [[{ type: 'raw_text', text: 'x' }]] }),
  richText('rich_text_section', { type: 'text', text: 'x' }, { type: 'link', url: 'https://example.com', text: 'x' }),
  richText('rich_text_section', { type: 'user', user_id: 'x' }, { type: 'broadcast', range: 'x' }),
  richText('rich_text_section', { type: 'emoji', name: 'x' }, { type: 'channel', channel_id: 'x' }),
  richText('rich_text_quote', { type: 'text', text: 'x', style: { bold: true } }),
  richText('rich_text_preformatted', { type: 'text', text: 'x' }),
  richText('rich_text_list', { type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }),
  {
    attachments: [
      { fallback: 'x' },
      { pretext: 'x', text: 'x', footer: 'x', title: 'x', title_link: 'https://example.com' },
    ],
  },
  { attachments: [{ author_name: 'x', fields: [{ title: 'x', value: 'x' }], actions: [{ text: 'x', url: 'x' }] }] },
]
const url = 'https://example.com'
const discord = {
  content: 'x',
  username: 'x',
  embeds: [
    {
      title: 'x',
      url,
      description: 'x',
      author: { name: 'x', url },
      fields: [{ name: 'x', value: 'x' }],
      footer: { text: 'x' },
      image: { url },
    },
  ],
}

const samples: readonly Sample[] = [
  ...examples,
  ...githubExamples.map(({ event, payload }) => ({ service: 'github', headers: { 'x-github-event': event }, payload })),
  ...recorded('github', (name) => ({ 'x-github-event': name.split('-')[0]! })),
  ...gitlabExamples.map(([event, payload]) => ({ service: 'gitlab', headers: { 'x-gitlab-event': event }, payload })),
  ...Object.entries(gitlabFiles).map(([file, [event]]) => ({
    service: 'gitlab',
    headers: { 'x-gitlab-event': event },
    payload: fixture(`gitlab/${file}`),
  })),
  ...slack.map((payload) => ({ service: 'slack_incoming', payload })),
  { service: 'discord', payload: discord },
  { service: 'json', payload: { title: 'x', list: ['x'] } },
  { service: 'own', payload: { title: 'x', body: 'x', url } },
]

/** The paths of all texts in a payload. */
function textsIn(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value === 'string') return [[...path]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]))
}

function changed(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text
  if (Array.isArray(value)) return value.map((inner, i) => (String(i) === name ? changed(inner, rest, text) : inner))
  return { ...(value as object), [name]: changed((value as Record<string, unknown>)[name], rest, text) }
}

/** What a rendered message must not have. Services quote the Markdown of others, and people word entire messages in some. */
function faultOf(html: string, isMarkdown: boolean): string | undefined {
  if (/user-mention|user-group-mention/.test(html)) return 'a mention'
  if (isMarkdown) return undefined
  if (/<h\d/.test(html)) return 'a heading'
  return />link<\/a>/.test(html) ? 'a link that hides its address' : undefined
}

/** One field in so many is changed. What becomes of its text doesn't depend on the database. */
const EVERY = rounds({ short: 5, full: onPostgres ? 5 : 1 })

test('shows text of every service without mentions, headings and links that hide their address', async (t) => {
  t.diagnostic(EVERY === 1 ? 'each field' : `one field in ${EVERY}`)
  const { w, key, bot_id } = await withWebhook()
  await using _ = w
  const config_data = { template: '**{title}** {list.0} {list}', topic_template: '{title}' }
  await w.people.hamlet.api.patch(`/bots/${bot_id}`, { config_data })
  await w.people.iago.api.post('/realm/webhook_templates', {
    name: 'own',
    event: '',
    topic: '{{ title }}',
    content: '{{ title }} {{ title | link: url }} {{ url | code }}\n{{ body }}{{ body | quote }}',
  })
  const addressOf = (service: string) =>
    service === 'discord' ? `../../webhooks/${bot_id}/${key}?wait=true` : `${service}?api_key=${key}`
  const seen = new Set<string>()
  const sent: { about: string; key: string; isMarkdown: boolean }[] = []
  for (const { service, headers, payload } of samples) {
    const kind = [service, ...Object.values(headers ?? {}), ...Object.keys(payload as object)].join(' ')
    const all = textsIn(payload).filter((path) => !seen.has(`${kind} ${path}`))
    const paths = all.filter((_, i) => i % EVERY === 0)
    const answers = paths.map(async (path, i) => {
      seen.add(`${kind} ${path}`)
      // Direct messages show the topic, too.
      const isSlack = service === 'slack_incoming'
      const topic = isSlack ? `&topic=${sent.length + i}` : ''
      const place = isSlack || i % 2 === 0 ? `&stream=general${topic}` : ''
      const json = changed(payload, path, HOSTILE)
      const answer = await post(w, `${addressOf(service)}${place}`, { json, ...(headers && { headers }) })
      const about = `${kind}: ${path.join('.')}`
      assert.ok([200, 204, 400].includes(answer.status), `${about}: ${answer.text}`)
      const isMarkdown = markdown[service]?.[0].test(path.join('.')) ?? false
      // Slack's format has no IDs in answers.
      return { about, key: isSlack ? `slack ${sent.length + i}` : String(answer.id), isMarkdown }
    })
    sent.push(...(await Promise.all(answers)))
  }
  const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'oldest', num_before: 0, num_after: 5000 })
  const rendered = new Map<string, string>(
    messages.flatMap(({ id, subject, content }: { id: number; subject: string; content: string }) => [
      [String(id), content],
      [`slack ${subject}`, content],
    ]),
  )
  const faults = sent.flatMap(({ about, key, isMarkdown }) => {
    const fault = faultOf(rendered.get(key) ?? '', isMarkdown)
    return fault ? [`${about}: ${fault} in ${rendered.get(key)}`] : []
  })
  assert.deepEqual(faults, [])
  const shown = new Set(sent.filter(({ key }) => rendered.has(key)).map(({ about }) => about.split(' ')[0]))
  assert.deepEqual(
    [...new Set(samples.map(({ service }) => service))].filter((name) => !shown.has(name)),
    [],
  )
  assert.deepEqual(
    services.filter(({ name }) => !shown.has(name)),
    [],
  )
})

test('keeps the Markdown of services that send it', async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  const used = new Set<string>()
  for (const { service, headers, payload } of samples) {
    const field = markdown[service]?.[0]
    const path = field && textsIn(payload).find((names) => field.test(names.join('.')))
    if (!path || used.has(service) || service === 'discord') continue
    const json = changed(payload, path, '[link](https://example.com)')
    const answer = await post(w, `${service}?api_key=${key}&stream=general`, { json, ...(headers && { headers }) })
    assert.equal(answer.status, 200, `${service}: ${answer.text}`)
    const { messages } = await w.people.hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    if (messages[0].content.includes('>link</a>')) used.add(service)
  }
  const expected = Object.keys(markdown).filter((service) => service !== 'discord')
  assert.deepEqual([...used].sort(), expected.sort())
})
