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
      <p class="quiet">A message with one of these words is marked for you, as if it mentioned you.</p>
      <ActionForm action="Add" run={(data) => client.addAlertWords({ alert_words: [textIn(data, 'word')] })}>
        <label>
          Word or phrase
          <input name="word" required maxLength={100} autocomplete="off" />
        </label>
      </ActionForm>
      <ul class="settings-list">
        {words.map((word) => (
          <li key={word}>
            <span class="name">{word}</span>
            <button
              type="button"
              aria-label={`Remove ${word}`}
              onClick={() => attempt(() => client.removeAlertWords({ alert_words: [word] }))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {words.length === 0 && <p class="quiet">There are none yet.</p>}
    </>
  )
}
