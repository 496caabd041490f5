import assert from 'node:assert/strict'
import { testServer } from '../../src/testing/index.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { boxHas, message, openTopic, until } from './gestures.ts'

browserTest('remembers a skin tone for messages, and reacts without one', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Words', { topic: 'books' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'books')
  const picker = page.getByRole('dialog', { name: 'Emoji' })
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await picker.getByRole('button', { name: 'Skin tone' }).press('Enter')
  await picker.getByRole('button', { name: 'Medium-dark', exact: true }).press('Enter')
  await until(page, `document.activeElement.getAttribute('aria-label') === 'Skin tone'`)
  await picker.getByRole('searchbox').fill('wave')
  const wave = picker.getByRole('button', { name: 'wave', exact: true })
  assert.equal(await wave.innerText(), '👋🏾')
  await wave.click()
  await boxHas(page, '👋🏾 ')

  // In the next visit, too, and in suggestions.
  await page.reload()
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('')
  await box.pressSequentially(':wave')
  await page.getByRole('option', { name: '👋🏾 wave', exact: true }).waitFor()
  await box.press('Tab')
  await boxHas(page, '👋🏾 ')
  await box.press('Control+Enter')
  await message(page, '👋🏾').waitFor()

  // Clients of the API know no reactions with a tone.
  await message(page, 'Words').hover()
  await message(page, 'Words').getByRole('button', { name: 'Add reaction' }).click()
  const reactions = page.getByRole('dialog', { name: 'Add reaction' })
  await reactions.getByRole('searchbox').fill('wave')
  const plain = reactions.getByRole('button', { name: 'wave', exact: true })
  assert.equal(await plain.innerText(), '👋')
  assert.equal(await reactions.getByRole('button', { name: 'Skin tone' }).count(), 0)
  await plain.click()
  await page.getByRole('button', { name: 'wave: You' }).waitFor()
})

browserTest('chooses a skin tone on a phone', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet, { size: sizes.phone, touch: true })
  await openTopic(page, server, 'general', 'books')
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  // Beside the name of the first emoji that was found.
  await page.getByRole('searchbox', { name: 'Search emoji' }).fill('kissing')
  await page.getByText(':kissing_face:').waitFor()
  await page.getByRole('button', { name: 'Skin tone' }).click()
  await until(
    page,
    `[...document.querySelectorAll('.skin-tones button')].every((one) => {
      const { x, y, width, height } = one.getBoundingClientRect()
      return height >= 43.5 && document.elementFromPoint(x + width / 2, y + height / 2) === one
    })`,
  )
  await page.getByRole('button', { name: 'Light', exact: true }).click()
  await page.getByRole('button', { name: 'Skin tone', description: 'Light' }).waitFor()
})
