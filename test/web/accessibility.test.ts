import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { manualClock, type TestServer, testServer } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'
import { administratorViews, fillSettings, views } from './all-views.ts'
import { violations } from './axe.ts'
import { newPage, signIn, sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { smallControls } from './fingertips.ts'
import { chooses, message, openTopic, sends, settles, writes } from './gestures.ts'

/** Restricts posting in a stream to owners. */
async function closeStream({ api }: TestServer['people']['iago'], stream: string): Promise<void> {
  const { stream_id } = await api.get('/get_stream_id', { stream })
  const { user_groups } = await api.get('/user_groups')
  const owners = user_groups.find(({ name }: { name: string }) => name === 'role:owners').id
  await api.patch(`/streams/${stream_id}`, { can_send_message_group: { new: owners } })
}

// On a phone, controls must also be as large as a fingertip.
for (const size of ['wide', 'phone'] as const) {
  browserTest(`axe finds no violations in any view in either theme (${size})`, async (t) => {
    await using server = await testServer({
      web: true,
      clock: manualClock(Date.now()),
      streams: {
        closed: { members: ['iago', 'hamlet'] },
        open: { members: ['iago'] },
        reports: { private: true, members: ['iago'] },
      },
    })
    const { hamlet, cordelia, iago } = server.people
    await closeStream(iago, 'closed')
    await hamlet.api.post('/users/me/status', { status_text: 'Reading', emoji_name: 'octopus' })
    await cordelia.says(
      '@**hamlet** `code`, a [link](https://example.com) and **more**\n\n```js\nconst a = 1 // one\n```',
    )
    await cordelia.says('/poll Where?\nHome\nInn')
    await cordelia.says('A word', { people: [hamlet] })
    const group = await fillSettings(server.people)
    const page = await newPage(server.url, { size: sizes[size] })
    t.after(() => page.context().close())
    const check = async (at: Page, view: string) => {
      await at.goto(`/${view}`)
      await settles(at, server)
      if (size === 'phone') assert.deepEqual(await smallControls(at), [], view)
      assert.deepEqual(await violations(at), [], view)
    }
    await page.goto('/')
    await page.getByLabel('Password').waitFor()
    assert.deepEqual(await violations(page), [], 'the sign-in page')
    await signIn(page, hamlet)
    for (const view of [...views, group, `${group}/general`]) await check(page, view)
    await page.goto('/#settings/bots')
    for (const bot of ['hub', 'out']) await page.getByRole('button', { name: `Edit Bot ${bot}` }).click()
    await page.getByText('All messages were delivered').waitFor()
    assert.deepEqual(await violations(page), [], 'the settings of bots')
    await page.locator('#main-view').focus()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    assert.deepEqual(await violations(page), [], 'the help')
    await page.keyboard.press('Escape')
    await page.goto('/#settings/profile')
    await page.getByRole('button', { name: 'Set a status' }).click()
    assert.deepEqual(await violations(page), [], 'the dialog of the status')
    await page.getByRole('button', { name: 'Emoji: octopus' }).click()
    assert.deepEqual(await violations(page), [], 'the emoji')
    await page.keyboard.press('Escape')
    await openTopic(page, server, 'closed', 'topic 1')
    await page.getByText("You can read this channel, but you can't post").waitFor()
    assert.deepEqual(await violations(page), [], 'a stream that is only read')
    await openTopic(page, server, 'open', 'topic 1')
    await page.getByText("You're not a member of open").waitFor()
    assert.deepEqual(await violations(page), [], 'a stream to join')
    for (const [item, what] of [
      ['Move…', 'the dialog that moves'],
      ['Read by…', 'the readers'],
    ] as const) {
      await openTopic(page, server, 'general', 'greetings')
      await page.locator('article[id]').last().click()
      await page.locator('article[id]').last().getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: item }).waitFor()
      await page.getByText('Loading…').first().waitFor({ state: 'detached' })
      assert.deepEqual(await violations(page), [], 'the menu of a message')
      await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog').waitFor()
      assert.deepEqual(await violations(page), [], what)
      await page.keyboard.press('Escape')
    }
    await hamlet.api.patch('/settings', { default_language: 'ar', high_contrast_mode: true })
    // The page loads again in the other language.
    await page.locator('html[lang=ar] .shell').waitFor()
    await hamlet.api.post('/mark_all_as_read')
    await check(page, '#inbox')
    await check(page, '#settings/display')
    await check(page, '#narrow')
    const ofOwner = await visit(t, server.url, iago, { size: sizes[size] })
    for (const view of administratorViews) await check(ofOwner, view)
    await ofOwner.goto('/#settings/invitations')
    await ofOwner.getByRole('button', { name: 'Invite people' }).click()
    assert.deepEqual(await violations(ofOwner), [], 'the dialog that invites')
    await ofOwner.keyboard.press('Escape')
    await ofOwner.goto('/#settings/integrations')
    await ofOwner.getByRole('button', { name: 'Edit ci' }).click()
    await ofOwner.getByRole('button', { name: 'Show preview' }).click()
    await ofOwner.getByText('Malformed JSON').waitFor()
    assert.deepEqual(await violations(ofOwner), [], 'an integration with an error')
    await ofOwner.goto('/#settings/fields')
    await ofOwner.getByRole('button', { name: 'Edit Field 1' }).click()
    assert.deepEqual(await violations(ofOwner), [], 'the settings of a profile field')
  })
}

for (const size of ['wide', 'phone'] as const) {
  browserTest(`axe finds no violations in conversation overlays in either theme (${size})`, async (t) => {
    await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
    const { iago } = server.people
    const { url } = await iago.api.upload('/user_uploads', png(), 'map.png')
    await iago.says(`The castle: [map.png](${url}), from above`, { topic: 'ghost' })
    await iago.says('```js\nconst answer = 1 // and more than a phone has room for in one line of it\n```', {
      topic: 'ghost',
    })
    await iago.says('Own words', { topic: 'ghost' })
    const page = await visit(t, server.url, iago, { size: sizes[size] })
    await openTopic(page, server, 'general', 'ghost')
    await settles(page, server)
    const check = async (what: string) => {
      await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => {})))')
      assert.deepEqual(await violations(page), [], what)
    }
    const box = page.getByRole('textbox', { name: 'Message' })
    if (size === 'phone') {
      await page.emulateMedia({ forcedColors: 'active' })
      await check('forced colours')
      await page.emulateMedia({ forcedColors: 'none' })
    }
    await message(page, 'Own words').click()
    await chooses(page, 'Own words', 'Delete…')
    await page.getByRole('dialog').waitFor()
    await check('the dialog that deletes')
    await page.keyboard.press('Escape')
    await chooses(page, 'Own words', 'Edit')
    await page.getByRole('textbox', { name: 'Edit message' }).waitFor()
    await check('the box of an edit')
    await page.keyboard.press('Escape')
    await message(page, 'Own words').getByRole('button', { name: 'Add reaction' }).click()
    await page.getByRole('dialog').getByRole('searchbox').or(page.getByRole('dialog').getByRole('combobox')).waitFor()
    await check('the emoji')
    await page.keyboard.press('Escape')
    await page.locator('.message_inline_image a').first().click()
    await page.getByRole('dialog').waitFor()
    await check('a picture seen large')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Conversation actions' }).click()
    await page.getByRole('menu').waitFor()
    await check('the menu of a topic')
    await page.keyboard.press('Escape')
    await box.focus()
    await page.keyboard.type('@ham')
    await page.getByRole('option').first().waitFor()
    await check('the list that completes')
    await page.keyboard.press('Escape')
    await writes(page, 'A **bold** word')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.locator('.compose').getByText('bold').waitFor()
    await check('the preview')
    await page.getByRole('button', { name: 'Preview' }).click()
    server.fail('POST */messages', { status: 400 })
    await sends(page, 'Refused')
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await check('what was not sent')
  })
}
