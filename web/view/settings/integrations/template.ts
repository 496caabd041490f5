import { textIn } from '../action-form.tsx'

/** An integration's name and its templates. */
export interface Template {
  name: string
  event: string
  topic: string
  content: string
}

export const templateIn = (data: FormData): Template => ({
  name: textIn(data, 'name'),
  event: textIn(data, 'event'),
  topic: textIn(data, 'topic'),
  content: textIn(data, 'content'),
})
