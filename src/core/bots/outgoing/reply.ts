import * as v from 'valibot'

const answer = v.object({
  response_not_required: v.nullish(v.boolean()),
  response_string: v.nullish(v.string()),
  content: v.nullish(v.string()),
  text: v.nullish(v.string()),
})

/**
 * What a receiver says in answer to a message; undefined for nothing. It is JSON with `content`, `response_string` or,
 * as in Slack's form, `text`; an empty body says nothing.
 *
 * @throws Error for an answer that is something else
 */
export function replyIn(body: string): string | undefined {
  if (body.trim() === '') return undefined
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    throw new Error('the answer is not JSON')
  }
  const parsed = v.safeParse(answer, json)
  if (!parsed.success) throw new Error('the answer is not an object with a content')
  const { response_not_required, content, response_string, text } = parsed.output
  if (response_not_required) return undefined
  return [content, response_string, text].find((said) => said != null && said.trim() !== '') ?? undefined
}
