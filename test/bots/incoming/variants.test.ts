import assert from 'node:assert/strict'
import test from 'node:test'
import { fixture, newest, post, withWebhook } from './receive.ts'

type Json = { readonly [name: string]: unknown }
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A recorded event with some of its fields changed. */
const changed = (recorded: Json, changes: Json): Json => ({
  ...recorded,
  ...Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      const before = recorded[name]
      return [name, isObject(value) && isObject(before) ? changed(before, value) : value]
    }),
  ),
})

type Case = readonly [event: string, file: string, changes: Json, says: RegExp | undefined]
const none = '0'.repeat(40)

const github: readonly Case[] = [
  ['push', 'push', { forced: true, compare: null }, /^yorick force pushed 2 commits to branch `main`/],
  ['push', 'push', { ref: 'refs/tags/v2', deleted: true }, /^yorick deleted the tag `v2`\.$/],
  ['push', 'push', { commits: Array(25).fill({ id: 'c', message: 'm', url: 'x' }) }, /… and 5 more commits$/],
  ['pull_request', 'pull_request-opened', { pull_request: { draft: true, body: null } }, /as a draft: .* to `main`\.$/],
  ['pull_request', 'pull_request-opened', { action: 'synchronize' }, /^yorick updated \[PR #4\]/],
  ['pull_request', 'pull_request-opened', { action: 'closed' }, /^yorick closed without merging/],
  ['pull_request_review', 'pull_request_review', { review: { state: 'pending' } }, undefined],
  ['pull_request_review', 'pull_request_review', { action: 'edited' }, /^yorick edited a \[review\]/],
  ['pull_request_review', 'pull_request_review', { action: 'unheard' }, undefined],
  ['pull_request_review_comment', 'pull_request_review_comment', { action: 'unheard' }, undefined],
  ['issues', 'issues-opened', { action: 'unheard' }, undefined],
  ['issue_comment', 'issue_comment', { issue: { pull_request: { url: 'x' } } }, /on \[PR #9\]/],
  ['issue_comment', 'issue_comment', { action: 'unheard' }, undefined],
  ['release', 'release', { action: 'created' }, undefined],
  ['release', 'release', { release: { name: null } }, /the release \[v1\.0\]/],
  ['workflow_run', 'workflow_run', { action: 'requested' }, undefined],
  [
    'workflow_run',
    'workflow_run',
    { workflow_run: { name: null, head_branch: null, conclusion: null } },
    /^The workflow \[run\].* ended: \*\*without a conclusion\*\*\.$/,
  ],
  ['ping', 'ping', { repository: null, zen: null }, /^The webhook is set up\.$/],
]

const gitlab: readonly Case[] = [
  ['Push Hook', 'push', { before: none }, /to the new branch `main`/],
  ['Push Hook', 'push', { commits: null, total_commits_count: 0 }, /nothing new to branch `main`\.$/],
  ['Push Hook', 'push', { commits: null, total_commits_count: null }, /nothing new to branch `main`\.$/],
  ['Tag Push Hook', 'tag_push', { after: none }, /^Yorick deleted the tag `v1`\.$/],
  ['Issue Hook', 'issue', { object_attributes: { action: 'close' } }, /^Yorick closed \[issue #9\].*\.$/],
  ['Issue Hook', 'issue', { object_attributes: { action: null } }, undefined],
  ['Merge Request Hook', 'merge_request', { object_attributes: { action: 'unknown' } }, undefined],
  ['Merge Request Hook', 'merge_request', { object_attributes: { action: null } }, undefined],
  ['Note Hook', 'note', { merge_request: null, issue: { iid: 9, title: 'Ghost' } }, /on \[issue #9\]/],
  ['Note Hook', 'note', { merge_request: null, commit: { id: 'c'.repeat(40) } }, /on ccccccc\./],
  ['Note Hook', 'note', { merge_request: null }, /on the snippet/],
  [
    'Pipeline Hook',
    'pipeline',
    { object_attributes: { url: null, ref: null } },
    /\/-\/pipelines\/31\) by Yorick on `` ended/,
  ],
  ['Job Hook', 'job', { build_status: 'success' }, /is \*\*passed\*\*\.$/],
  ['Job Hook', 'job', { ref: null }, /\*\*failed\*\*/],
  ['Release Hook', 'release', { action: 'update' }, /was updated\.$/],
]

for (const [service, header, cases] of [
  ['github', 'x-github-event', github],
  ['gitlab', 'x-gitlab-event', gitlab],
] as const) {
  test(`turns rarer events of ${service} into text, or into no message`, async () => {
    const { w, key } = await withWebhook()
    await using _ = w
    for (const [event, file, changes, says] of cases) {
      const about = `${event} ${JSON.stringify(changes).slice(0, 80)}`
      const before = await newest(w)
      const json = changed(fixture(`${service}/${file}`) as Json, changes)
      const answer = await post(w, `${service}?api_key=${key}&stream=general`, { json, headers: { [header]: event } })
      assert.equal(answer.status, 200, `${about}: ${answer.text}`)
      const after = await newest(w)
      if (says) assert.match(after.content, says, about)
      else assert.deepEqual(after, before, about)
    }
  })
}

const slack: readonly [message: Json, content: string][] = [
  [{ text: 'x', blocks: [{ type: 'header', text: 'Plain' }] }, '## Plain'],
  [{ blocks: [{ type: 'image', image_url: 'https://e.com/a.png', alt_text: 'A' }] }, '[A](https://e.com/a.png)'],
  [{ blocks: [{ type: 'image', image_url: 'https://e.com/a.png' }] }, '[image](https://e.com/a.png)'],
  [{ blocks: [{ type: 'context', elements: [{ text: 'one' }, { type: 'image' }, 'two'] }] }, 'one two'],
  [{ blocks: [{ type: 'section' }, { type: 'section', fields: ['a', { text: 'b' }] }] }, 'a\nb'],
  [{ attachments: [{ fallback: 'instead' }] }, 'instead'],
  [{ attachments: [{ pretext: 'before', fallback: 'instead' }] }, 'before'],
  [
    { attachments: [{ author_name: 'Ann', title: 'T', image_url: 'https://e.com/i.png', fields: [{}] }] },
    '*Ann*\n**T**\n[image](https://e.com/i.png)',
  ],
  [{ text: 'an _important_ and *_both_* snake_case_name' }, 'an *important* and ***both*** snake_case_name'],
  [
    { attachments: [{ blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*In*' } }], fallback: 'x' }] },
    '**In**',
  ],
  [{ attachments: [{ text: 'a', fields: [{ value: 'only' }, { title: 'T', value: 'v' }] }] }, 'a\nonly\n**T**: v'],
  [{ attachments: [{ text: 'a', ts: 1700000000, footer: 'f' }] }, 'a\n*f* <time:2023-11-14T22:13:20.000Z>'],
  [
    {
      blocks: [
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'Deploy?' },
          accessory: { type: 'button', text: { type: 'plain_text', text: 'See' }, url: 'https://e.com/s' },
        },
      ],
    },
    'Deploy?\n[See](https://e.com/s)',
  ],
  [
    {
      blocks: [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'Bold ', style: { bold: true } },
                { type: 'text', text: 'and ' },
                { type: 'link', url: 'https://e.com', text: 'link' },
                { type: 'emoji', name: 'tada' },
              ],
            },
            {
              type: 'rich_text_list',
              style: 'ordered',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
            },
            { type: 'rich_text_quote', elements: [{ type: 'text', text: 'said' }] },
            { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'x = 1' }] },
          ],
        },
      ],
    },
    '**Bold** and [link](https://e.com):tada:\n1. one\n> said\n```\nx = 1\n```',
  ],
  [
    {
      blocks: [
        {
          type: 'actions',
          elements: [{ type: 'button', text: { type: 'plain_text', text: 'Go' } }, { type: 'static_select' }],
        },
        { type: 'input', label: { type: 'plain_text', text: 'Why?' } },
        { type: 'markdown', text: '**m** [l](https://e.com)' },
        {
          type: 'table',
          rows: [
            [
              { type: 'raw_text', text: 'a' },
              { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'b' }] }] },
            ],
          ],
        },
      ],
    },
    'Go\n\nWhy?\n\n**m** [l](https://e.com)\n\na | b',
  ],
  [{ attachments: [{ color: 'good' }] }, '*This message has no text.*'],
  [{ blocks: [{ type: 'actions', elements: [{ type: 'static_select' }] }] }, '*This message has no text.*'],
  [{ text: '# no heading [here](https://evil.example)' }, '\u200b# no heading [here]\u200b(https://evil.example)'],
  [{ text: 'x', blocks: 'nonsense', attachments: { no: 1 }, channel: 5 }, 'x'],
  [{ username: 'ci', icon_emoji: ':robot:', text: 'up' }, ':robot: **ci**: up'],
  [
    // cspell:ignore subteam
    { text: '<#C1> <!subteam^S1> <!here|@here> <@U2> <https://e.com|https://e.com>' },
    '#C1 @subteam @here @U2 https://e.com',
  ],
]

test("renders other forms of Slack's content", async () => {
  const { w, key } = await withWebhook()
  await using _ = w
  for (const [json, content] of slack) {
    const answer = await post(w, `slack_incoming?api_key=${key}&stream=general`, { json })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await newest(w)).content, content)
  }
})
