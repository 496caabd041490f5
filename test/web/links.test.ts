import assert from 'node:assert/strict'
import { thumbnailerOf } from '../../src/core/files/thumbnailer.ts'
import { testServer } from '../../src/testing/index.ts'
import { problemsOf, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, settles, until } from './gestures.ts'

browserTest("links lead to a message's current place, and explain when there is none", async (t) => {
  await using server = await testServer({
    web: true,
    streams: { verona: { members: ['iago', 'hamlet'] }, secret: { members: ['iago'], private: true } },
  })
  const { iago, hamlet } = server.people
  const { id } = await iago.says('The feud is over', { stream: 'verona', topic: 'peace' })
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'verona' })
  const { stream_id: hidden } = await iago.api.get('/get_stream_id', { stream: 'secret' })
  await iago.api.patch(`/messages/${id}`, { topic: 'war', propagate_mode: 'change_all' })
  const page = await visit(t, server.url, hamlet)
  for (const operator of ['near', 'with']) {
    await page.goto('/#inbox')
    await page.goto(`/#narrow/channel/${stream_id}-verona/topic/peace/${operator}/${id}`)
    await page.getByRole('heading', { name: 'war' }).waitFor()
    await message(page, 'The feud is over').waitFor()
    // What leads on is no stop on the way back.
    await page.goBack()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  }
  await page.goto('/#narrow/stream/verona/subject/war')
  await page.getByRole('heading', { name: 'war' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
  await page.goto(`/#narrow/channel/${stream_id}/topic/war/near/${id}`)
  await page.locator(`#message-${id}.selected`).waitFor()

  await page.goto(`/#narrow/channel/${hidden}/topic/plans`)
  const sentence = page.getByText("This channel doesn't exist, or it's private")
  await sentence.waitFor()
  assert.ok((await sentence.boundingBox())!.y < page.viewportSize()!.height / 2, 'in sight, not below the view')
  const { id: secret } = await iago.says('Demand me nothing', { stream: 'secret', topic: 'war' })
  await page.goto(`/#narrow/channel/${stream_id}/topic/war/near/${secret}`)
  await page.getByText("was deleted, or you don't have access to it").waitFor()
})

browserTest('a group mention shows the members, and muted messages appear on request', async (t) => {
  await using server = await testServer({ web: true })
  const { iago, hamlet, cordelia } = server.people
  await iago.api.post('/user_groups/create', { name: 'players', description: 'On the stage', members: [hamlet.id] })
  await cordelia.says('Welcome, @*players*', { topic: 'stage' })
  await iago.says('I am not what I am', { topic: 'stage' })
  await hamlet.api.post(`/users/me/muted_users/${iago.id}`)
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'stage')
  await page.locator('.user-group-mention.own-mention').click()
  const dialog = page.getByRole('dialog', { name: 'players' })
  await dialog.getByText('On the stage').waitFor()
  await dialog.getByRole('list', { name: 'Members' }).getByText('hamlet').waitFor()
  await page.keyboard.press('Escape')
  assert.equal(await page.getByText('I am not what I am').count(), 0)
  await page.getByRole('button', { name: /someone you muted/ }).click()
  await page.getByText('I am not what I am').waitFor()
})

browserTest('opens images in a viewer with navigation and zoom', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'pictures')
  const pictures = await page.evaluate(`Promise.all(['red', 'blue'].map(async (colour) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 200 })
    const pen = canvas.getContext('2d')
    pen.fillStyle = colour
    pen.fillRect(0, 0, 300, 200)
    return canvas.toDataURL('image/png').split(',')[1]
  }))`)
  await page.locator('.compose input[type=file]').setInputFiles(
    (pictures as string[]).map((data, i) => ({
      name: `picture ${i + 1}.png`,
      mimeType: 'image/png',
      buffer: Buffer.from(data, 'base64'),
    })),
  )
  await page.getByRole('button', { name: 'Remove picture 1.png' }).waitFor()
  await page.getByRole('button', { name: 'Remove picture 2.png' }).waitFor()
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await page.locator('.message_inline_image a').nth(1).waitFor()
  // Thumbnails take the place of the images there are.
  await thumbnailerOf(server.chat).settled()
  await settles(page, server)
  const links = page.locator('.message_inline_image a')
  const [first, second] = [await links.nth(0).getAttribute('title'), await links.nth(1).getAttribute('title')]
  await page.locator('.message_inline_image a').first().click()
  const large = (name: string) => page.getByRole('dialog', { name, exact: true })
  const isWide = (px: number) =>
    until(page, `document.querySelector('.lightbox img').getBoundingClientRect().width === ${px}`)
  await large(first!).getByText('1 of 2').waitFor()
  await isWide(300)
  // Once the message has changed, its links are other elements.
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
  const { raw_content } = await hamlet.api.get(`/messages/${messages[0].id}`, { apply_markdown: false })
  await hamlet.api.patch(`/messages/${messages[0].id}`, { content: `Look! ${raw_content}` })
  await page.locator('article').getByText('Look!').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowRight')
  await large(second!).getByText('2 of 2').waitFor()
  assert.equal(await large(second!).getByRole('button', { name: 'Next' }).isDisabled(), true)
  await isWide(300)
  await page.keyboard.press('+')
  await isWide(420)
  // As if the image arrived only now.
  await page.evaluate(`document.querySelector('.lightbox img').dispatchEvent(new Event('load'))`)
  await isWide(420)
  await page.keyboard.press('0')
  await isWide(300)
  await page.keyboard.press('Escape')
  await until(page, `document.activeElement === document.querySelectorAll('.message_inline_image a')[1]`)
  // It does not stay over another view.
  await page.keyboard.press('Enter')
  await large(second!).waitFor()
  await page.evaluate(`location.hash = '#recent'`)
  await large(second!).waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Recent conversations' }).waitFor()
  await until(page, `document.activeElement.id === 'main-view'`)
  assert.deepEqual(problemsOf.get(page), [])
})
