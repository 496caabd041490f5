import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, until, writes } from './gestures.ts'

browserTest('explains a rejected choice and reverts it', async (t) => {
  await using server = await testServer({
    web: true,
    streams: { verona: { members: ['iago'] }, court: { members: ['iago'] } },
  })
  const { iago } = server.people
  await iago.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: true })
  const group = { group_name: 'plays', description: '', stream_names: ['court'] }
  await iago.api.post('/default_stream_groups/create', group)
  const page = await visit(t, server.url, iago)
  const json = { code: 'BAD_REQUEST', result: 'error', msg: 'Not by the light of the moon.' }
  const refuses = (path: string) => page.route(path, (route) => route.fulfill({ status: 400, json }))
  const isSaid = (role: 'main' | 'alert') => page.getByRole(role).getByText('Not by the light of the moon.').waitFor()
  const isTicked = (label: string, isOn: boolean) =>
    page.getByRole('checkbox', { name: label, checked: isOn }).waitFor()

  await iago.says('/todo Supper\nBread\nWine', { topic: 'supper' })
  await openTopic(page, server, 'general', 'supper')
  await isTicked('Bread', false)
  await refuses('**/json/submessage')
  await page.getByRole('checkbox', { name: 'Bread' }).click()
  await isSaid('main')
  await isTicked('Bread', false)
  await page.unroute('**/json/submessage')
  await page.getByRole('checkbox', { name: 'Wine' }).click()
  await until(page, `document.querySelectorAll('.todo .done').length === 1`)

  // What was not sent stands in its column.
  const isSending = (url: URL) => url.pathname === '/json/messages'
  await page.route(isSending, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 400, json }) : route.fallback(),
  )
  await sends(page, 'Cheese')
  const failed = page.locator('.outgoing.failed')
  await failed.getByText('Not sent: Not by the light of the moon.').waitFor()
  const startOf = (selector: string) =>
    page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().left`)
  assert.equal(await startOf('.outgoing .body'), await startOf('article[id] .body'))
  await failed.getByRole('button', { name: 'Edit' }).click()
  await writes(page, '')

  await refuses('**/json/settings')
  await page.getByRole('checkbox', { name: 'Press Enter to send' }).click()
  await isSaid('alert')
  await isTicked('Press Enter to send', false)

  await refuses('**/json/realm/domains/*')
  await page.goto('/#settings/domains')
  await page.getByRole('checkbox', { name: 'Subdomains of example.com, too' }).click()
  await isSaid('main')
  await isTicked('Subdomains of example.com, too', true)

  await refuses('**/json/default_stream_groups/**')
  await refuses('**/json/default_streams')
  await page.goto('/#settings/newcomers')
  const offer = page.locator('.bot-settings')
  await offer.getByRole('checkbox', { name: 'verona' }).click()
  await isSaid('main')
  await offer.getByRole('checkbox', { name: 'verona', checked: false }).waitFor()
  const add = page.getByLabel('Add a default channel')
  await add.selectOption('verona')
  await page.getByRole('alert').getByText('Not by').last().waitFor()
  await until(page, `document.querySelector('[aria-label="Add a default channel"]').value === ''`)
})

browserTest('reports a rejected message to its author in any view', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.people.hamlet)
  const json = { code: 'BAD_REQUEST', result: 'error', msg: 'Not by the light of the moon.' }
  const held: (() => void)[] = []
  await page.route(
    ({ pathname }) => pathname === '/json/messages',
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await new Promise<void>((resolve) => held.push(resolve))
      return route.fulfill({ status: 400, json })
    },
  )
  await openTopic(page, server, 'general', 'night')
  await sends(page, 'Who is there?')
  await openTopic(page, server, 'general', 'day')
  await eventually('it is asked for', () => held.length === 1)
  for (const answer of held) answer()
  const notice = page.getByRole('status').filter({ hasText: 'Not sent to ' })
  await notice.getByText('Not by the light of the moon.').waitFor()
  await notice.getByRole('button', { name: 'Show message' }).click()
  await page.getByRole('heading', { name: 'night' }).waitFor()
  await message(page, 'Who is there?').getByText('Not sent: Not by').waitFor()

  // It stays in the list of what is not sent.
  await page.goto('/#drafts')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Who is there?' })
  await row.getByText('Not sent').waitFor()
  await row.getByRole('link').click()
  await message(page, 'Who is there?').getByRole('button', { name: 'Edit' }).click()
  await until(page, `document.querySelector('#compose-text')?.value === 'Who is there?'`)
})

browserTest('reports a rejected message that is out of view in an open conversation', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  for (let i = 0; i < 40; i++) await cordelia.says(`Line ${i}`, { topic: 'night' })
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet)
  const json = { code: 'BAD_REQUEST', result: 'error', msg: 'Not by the light of the moon.' }
  let answer = () => {}
  await page.route(
    ({ pathname }) => pathname === '/json/messages',
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      return route.fulfill({ status: 400, json })
    },
  )
  await openTopic(page, server, 'general', 'night')
  await sends(page, 'Who is there?')
  const failed = message(page, 'Who is there?')
  await failed.waitFor()
  await until(
    page,
    `(({ scrollTop, scrollHeight, clientHeight }) => scrollTop + clientHeight >= scrollHeight - 1)(document.querySelector('.feed'))`,
  )
  await page.evaluate(`document.querySelector('.feed').scrollTop = 0`)
  answer()
  const notice = page.getByRole('status').filter({ hasText: 'Not sent to ' })
  await notice.getByRole('button', { name: 'Show message' }).click()
  await failed.getByText('Not sent: Not by').waitFor()
  await until(page, `document.querySelector('.outgoing.failed').getBoundingClientRect().top < innerHeight`)
})
