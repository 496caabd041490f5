import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { sizes, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { until } from './gestures.ts'

async function opensHelp(page: Page): Promise<void> {
  await page.locator('#main-view').focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Help' }).waitFor()
}

for (const size of ['wide', 'phone'] as const) {
  browserTest(`shows formatting with live examples (${size})`, async (t) => {
    await using server = await testServer({ web: true })
    const page = await visit(t, server.url, server.hamlet, { size: sizes[size] })
    await opensHelp(page)
    const tab = (name: string) => page.getByRole('tab', { name })
    assert.equal(await tab('Keyboard shortcuts').getAttribute('aria-selected'), 'true')
    await tab('Keyboard shortcuts').press('ArrowRight')
    assert.equal(await tab('Formatting').getAttribute('aria-selected'), 'true')
    await until(page, `document.activeElement.textContent === 'Formatting'`)
    const panel = page.getByRole('tabpanel')
    const example = (label: string) => panel.locator('li', { hasText: label }).locator('.content')
    // As the server renders them, each beside its source.
    await example('Bold').locator('strong', { hasText: 'bold' }).waitFor()
    await example('Formula').locator('.katex').waitFor()
    await example('Code block').locator('pre').waitFor()
    await example('Silent mention').locator('.user-mention', { hasText: 'hamlet' }).waitFor()
    await example('Link to a channel').getByRole('link', { name: 'general' }).waitFor()
    assert.equal(await page.evaluate(`getComputedStyle(document.querySelector('.content li')).display`), 'list-item')
    assert.equal(await panel.locator('.formatting-help > ul > li').count(), 16)
    assert.equal(await page.evaluate('document.querySelector("dialog").scrollWidth <= innerWidth'), true)
    // Text is rendered as it is typed, and an example can be changed.
    const box = panel.getByRole('textbox', { name: 'Try it' })
    const tried = panel.locator('.tried')
    await tried.locator('strong', { hasText: 'anything' }).waitFor()
    await panel.getByRole('button', { name: '~~struck~~' }).click()
    await tried.locator('del', { hasText: 'struck' }).waitFor()
    assert.equal(await box.inputValue(), '~~struck~~')
    await box.fill('*new*')
    await tried.locator('em', { hasText: 'new' }).waitFor()
    await box.fill('')
    await until(page, `document.querySelector('.tried').textContent === ''`)
    server.fail('POST */messages/render', { status: 400, times: 1 })
    await box.fill('**again**')
    await panel.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
    await box.fill('**again**!')
    await tried.locator('strong', { hasText: 'again' }).waitFor()
    assert.equal(await panel.locator('.problem').textContent(), '')
    await tab('Formatting').focus()
    await page.keyboard.press('ArrowRight')
    await page.getByText('next message').waitFor()
  })
}
