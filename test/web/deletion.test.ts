import { manualClock, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic } from './gestures.ts'

browserTest('offers to delete an own message with the time left, and says when it is too late', async (t) => {
  const clock = manualClock(Date.now())
  await using server = await testServer({ web: true, clock })
  const { hamlet, iago } = server.people
  const { user_groups } = await iago.api.get('/user_groups', { include_system: true })
  const everyone = user_groups.find(({ name }: { name: string }) => name === 'role:everyone').id
  await iago.api.patch('/realm', {
    can_delete_own_message_group: { new: everyone },
    message_content_delete_limit_seconds: 3600,
  })
  await hamlet.says('Words, words, words', { topic: 'letter' })
  await iago.says('What is the matter?', { topic: 'letter' })
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'general', 'letter')
  const opens = async () => {
    const line = message(page, 'Words, words')
    await line.hover()
    await line.getByRole('button', { name: 'More actions' }).click()
    return line.getByRole('menuitem', { name: /^Delete…/ })
  }
  const item = await opens()
  await item.getByText(/^\d+ minutes$|^1 hour$/).waitFor()
  await item.click()
  const dialog = page.getByRole('dialog', { name: 'Delete this message?' })
  await dialog.getByText(/You can delete it for another (?:\d+ minutes|1 hour)\.$/).waitFor()
  clock.advance(2 * 3600 * 1000)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alert').getByText('This message is too old for you to delete.').waitFor()

  // Administrators may do it at any time.
  const other = await visit(t, server.url, iago)
  await openTopic(other, server, 'general', 'letter')
  const line = message(other, 'Words, words')
  await line.hover()
  await line.getByRole('button', { name: 'More actions' }).click()
  await line.getByRole('menuitem', { name: 'Delete…', exact: true }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await message(page, 'Words, words').waitFor({ state: 'detached' })
})
