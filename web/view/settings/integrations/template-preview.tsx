import { useSignal } from '@preact/signals'
import { useContext } from 'preact/hooks'
import { compareNames } from '../../../model/state/compare-names.ts'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { Content } from '../../content/content.tsx'
import { useSession } from '../../session-context.ts'
import { textIn } from '../action-form.tsx'
import { INCOMING } from '../bots/bot-kinds.ts'
import { FormField } from '../form-field.tsx'
import { FormProblems } from '../form-problems.ts'
import { templateIn } from './template.ts'

interface Result {
  event: string
  topic: string
  /** As HTML; empty if the payload becomes no message. */
  message: string
}

/** Shows what the templates of a form make of a payload: one that is pasted, or the last one that a bot received. */
export function TemplatePreview() {
  const session = useSession()
  const { client } = session
  const bots = session
    .read('users')
    .realm_users.filter(({ bot_type }) => bot_type === INCOMING)
    .sort((a, b) => compareNames(a.full_name, b.full_name))
  const problems = useContext(FormProblems)!
  const result = useSignal<Result | undefined>(undefined)
  const preview = (form: HTMLFormElement) => {
    result.value = undefined
    return problems.attempt(form, async () => {
      const data = new FormData(form)
      const { name, ...templates } = templateIn(data)
      const { event, topic, content } = await client.testWebhookTemplate({
        ...templates,
        payload: textIn(data, 'payload'),
      })
      const message = content === null ? '' : (await client.renderMessage({ content })).rendered
      result.value = { event, topic: topic || name, message }
    })
  }
  const fill = async (form: HTMLFormElement, bot_id: number) => {
    const isFilled = await problems.attempt(form, async () => {
      const { payload } = await client.testWebhookTemplate({ content: '', bot_id })
      const field = form.elements.namedItem('payload') as HTMLTextAreaElement
      field.value = indented(payload)
    })
    if (isFilled) await preview(form)
  }
  return (
    <fieldset>
      <legend>{texts.compose.preview}</legend>
      {bots.length > 0 && (
        <FormField
          name="bot_id"
          label={pageTexts.integrations.lastPayload}
          options={[
            ['', pageTexts.integrations.chooseBot],
            ...bots.map(({ user_id, full_name }) => [String(user_id), full_name] as const),
          ]}
          onChoose={(bot_id, form) => {
            if (bot_id !== '') void fill(form, Number(bot_id))
          }}
        />
      )}
      <FormField
        name="payload"
        label={pageTexts.integrations.payload}
        rows={4}
        spellcheck={false}
        placeholder={pageTexts.integrations.payloadExample}
      />
      <button type="button" onClick={({ currentTarget: { form } }) => void preview(form!)}>
        {pageTexts.integrations.showPreview}
      </button>
      <div class="template-preview" aria-live="polite">
        {result.value && <PreviewedMessage {...result.value} />}
      </div>
    </fieldset>
  )
}

const PreviewedMessage = ({ event, topic, message }: Result) => (
  <>
    <p class="quiet small">
      {message && pageTexts.integrations.previewedTopic(topic)}
      {event && pageTexts.integrations.previewedEvent(event)}
    </p>
    {message ? <Content html={message} /> : <p class="quiet">{pageTexts.integrations.noMessage}</p>}
  </>
)

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    // It was cut when it was stored.
    return json
  }
}
