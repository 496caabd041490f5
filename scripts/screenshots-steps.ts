import type { Page } from 'playwright-core'
import type { TestServer } from '../src/testing/index.ts'
import { message } from '../test/web/gestures.ts'
import type { SeedName } from './screenshots-seed.ts'

/** A step. If it returns a function, the function undoes the step. */
export type Step = (page: Page, server: TestServer<SeedName>) => Promise<unknown>

export const topic =
  (stream: string, rest: string): Step =>
  async (page, { people }) => {
    const { stream_id } = await people.cordelia.api.get('/get_stream_id', { stream })
    return page.goto(`/#narrow/channel/${stream_id}${rest}`)
  }

export const conversation = topic('design', '/topic/new.20logo')

export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })

/** Opens the conversation, then takes another step. */
export const there =
  (then: Step): Step =>
  async (page, server) => {
    await conversation(page, server)
    await message(page, 'Which cup?').waitFor()
    await box(page).fill('')
    return then(page, server)
  }
