import { pageTexts } from '../../../texts/page-texts.ts'
import { texts } from '../../../texts/texts.ts'
import { attempt } from '../../parts/notices.tsx'
import { useSession } from '../../session-context.ts'
import { ActionForm, textIn } from '../action-form.tsx'

/** Words that count as a mention of the reader. */
export function AlertWords() {
  const session = useSession()
  const { client } = session
  const words = session.read('settings').alert_words
  return (
    <>
      <p class="quiet">{pageTexts.alertWords.intro}</p>
      <ActionForm
        action={pageTexts.common.add}
        run={(data) => client.addAlertWords({ alert_words: [textIn(data, 'word')] })}
      >
        <label>
          {pageTexts.alertWords.word}
          <input name="word" required maxLength={100} autocomplete="off" />
        </label>
      </ActionForm>
      <ul class="settings-list">
        {words.map((word) => (
          <li key={word}>
            <span class="name">{word}</span>
            <button
              type="button"
              aria-label={texts.common.removeName(word)}
              onClick={() => attempt(() => client.removeAlertWords({ alert_words: [word] }))}
            >
              {pageTexts.common.remove}
            </button>
          </li>
        ))}
      </ul>
      {words.length === 0 && <p class="quiet">{pageTexts.alertWords.empty}</p>}
    </>
  )
}
