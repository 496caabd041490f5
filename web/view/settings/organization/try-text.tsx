import { useSignal } from '@preact/signals'
import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { Content } from '../../content/content.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** Shows a text as the server would render it in a message. */
export function TryText() {
  const { client } = useSession()
  const html = useSignal('')
  const render = async (data: FormData) => {
    html.value = (await client.renderMessage({ content: textIn(data, 'text') })).rendered
  }
  return (
    <section aria-labelledby="try-text">
      <h3 id="try-text">{pageTexts.linkifiers.try}</h3>
      <ActionForm action={texts.compose.preview} keep run={render}>
        <label>
          {pageTexts.linkifiers.tryText}
          <input name="text" required autocomplete="off" />
        </label>
        <div aria-live="polite">{html.value && <Content html={html.value} />}</div>
      </ActionForm>
    </section>
  )
}
