import assert from 'node:assert/strict'
import test from 'node:test'
import { updateMessage } from '../../src/core/messages/edit/edit.ts'
import { createLinkifier, removeLinkifier } from '../../src/core/organization/linkifiers/edit.ts'
import { reorderLinkifiers } from '../../src/core/organization/linkifiers/reorder.ts'
import { topicLinks } from '../../src/core/organization/linkifiers/topic-links.ts'
import { type Person, world } from '../../src/testing/index.ts'

const issue = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' }

async function newest(who: Person) {
  const [message] = (await who.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })).messages
  return message
}

test("turns a linkifier's matches into links, even in plain prose", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await createLinkifier(iago, issue)
  await createLinkifier(iago, { pattern: '(?P<word>ham|skull)', url_template: 'https://play.example.com/{word}' })
  await hamlet.says('alas the ham is gone')
  assert.equal((await newest(iago)).content, '<p>alas the <a href="https://play.example.com/ham">ham</a> is gone</p>')
  await hamlet.says('see #12, `#13` and a#14')
  const { content } = await newest(iago)
  assert.equal(content, '<p>see <a href="https://issues.example.com/12">#12</a>, <code>#13</code> and a#14</p>')
})

test('links outlive their linkifier, and an edit picks up a new linkifier', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await createLinkifier(iago, issue)
  const { id: message_id } = await hamlet.says('see #1')
  await removeLinkifier(iago, { filter_id: id })
  assert.match((await newest(iago)).content, /<a /)
  await updateMessage(hamlet, { message_id, content: 'see #2' })
  assert.equal((await newest(iago)).content, '<p>see #2</p>')
  await createLinkifier(iago, issue)
  await updateMessage(hamlet, { message_id, content: 'see #3' })
  assert.match((await newest(iago)).content, /<a /)
})

test('the first of two matching linkifiers wins', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const one = await createLinkifier(iago, { pattern: 'A-(?P<n>[0-9])', url_template: 'https://one.example.com/{n}' })
  const two = await createLinkifier(iago, { pattern: '(?P<n>A-[0-9])', url_template: 'https://two.example.com/{n}' })
  await hamlet.says('A-1')
  assert.match((await newest(iago)).content, /one\.example/)
  await reorderLinkifiers(iago, { ordered_linkifier_ids: [two.id, one.id] })
  await hamlet.says('A-1')
  assert.match((await newest(iago)).content, /two\.example/)
})

test("a linkifier can't create forbidden links", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await createLinkifier(iago, { pattern: 'x(?P<n>[0-9])', url_template: 'javascript:alert({n})' })
  await hamlet.says('x1', { topic: 'x1' })
  const { content, topic_links } = await newest(iago)
  assert.deepEqual([content, topic_links], ['<p>x1</p>', []])
})

test("includes a topic's links in messages, events and moves", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await createLinkifier(iago, issue)
  await w.events()
  const { id: message_id } = await hamlet.says('hello', { topic: 'about #7' })
  const links = [{ url: 'https://issues.example.com/7', text: '#7' }]
  assert.deepEqual((await newest(iago)).topic_links, links)
  await updateMessage(hamlet, { message_id, topic: 'about #8' })
  const detail = (await w.events()).flatMap((event) =>
    event.type === 'message' ? [event.message.topic_links] : event.type === 'update_message' ? [event.topic_links] : [],
  )
  const moved = [{ url: 'https://issues.example.com/8', text: '#8' }]
  assert.deepEqual(detail.slice(0, 2), [links, moved])
  assert.deepEqual((await newest(iago)).topic_links, moved)
  await hamlet.says('between us', { people: [iago] })
  assert.deepEqual((await newest(iago)).topic_links, [])
})

const topics: Record<string, [text: string, url: string][]> = {
  plain: [],
  'about #7 and #8': [
    ['#7', 'https://issues.example.com/7'],
    ['#8', 'https://issues.example.com/8'],
  ],
  '#7x a#8 (#9)': [['#9', 'https://issues.example.com/9']],
  '(https://example.com/a)': [['https://example.com/a', 'https://example.com/a']],
  'see example.com/x, please': [['example.com/x', 'https://example.com/x']],
  'me@example.com': [['me@example.com', 'mailto:me@example.com']],
  'https://example.com/#7': [['https://example.com/#7', 'https://example.com/#7']],
  'a.txt 1.5': [],
}

for (const [topic, links] of Object.entries(topics)) {
  test(`finds the links of the topic ${topic}`, async () => {
    await using w = await world()
    await createLinkifier(w.people.iago, issue)
    const expected = links.map(([text, url]) => ({ url, text }))
    assert.deepEqual(await topicLinks(w.people.iago, topic), expected)
    assert.deepEqual(await topicLinks(w.people.iago, topic), expected, 'once more, from memory')
  })
}

test('topic links follow moves through the newest message the writer can see', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const stream_id = await w.streamId('general')
  const { id } = await iago.says('here', { topic: 'Plans' })
  await hamlet.says('#**general>plans** #**general>none** #**general>plans@1**')
  const base = `/#narrow/channel/${stream_id}-general/topic`
  const targets = [...(await newest(iago)).content.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
  assert.deepEqual(targets, [`${base}/plans/with/${id}`, `${base}/none`, `${base}/plans/near/1`])
})

test('mentions of deactivated users and groups are silent', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { group_id } = await iago.api.post('/user_groups/create', { name: 'cast', description: '', members: [] })
  await iago.api.post(`/user_groups/${group_id}/deactivate`)
  await iago.api.delete(`/users/${cordelia.id}`)
  await hamlet.says(`@**${cordelia.user.full_name}** @*cast*`)
  const { content } = await newest(iago)
  assert.match(content, /<span class="user-mention silent" data-user-id="\d+">/)
  assert.match(content, /<span class="user-group-mention silent" data-user-group-id="\d+">cast<\/span>/)
})
