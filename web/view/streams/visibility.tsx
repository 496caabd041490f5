import { pageTexts } from '../../texts/page-texts.ts'
import { useSession } from '../session-context.ts'

/** The form's choices: who can find a stream, and what they can read in it. */
const kinds = {
  public: {
    label: pageTexts.channel.public,
    params: { invite_only: false },
  },
  open: {
    label: pageTexts.channel.webPublic,
    params: { invite_only: false, is_web_public: true },
  },
  shared: {
    label: pageTexts.channel.privateShared,
    params: { invite_only: true, history_public_to_subscribers: true },
  },
  secret: {
    label: pageTexts.channel.privateProtected,
    params: { invite_only: true, history_public_to_subscribers: false },
  },
} as const

/** Who sees a stream that is made. */
export function Visibility() {
  const state = useSession().read('organization')
  const may: Readonly<Record<keyof typeof kinds, boolean>> = {
    public: state.can_create_public_streams,
    open: state.can_create_web_public_streams,
    shared: state.can_create_private_streams,
    secret: state.can_create_private_streams,
  }
  const offered = Object.entries(kinds).filter(([kind]) => may[kind as keyof typeof kinds])
  return (
    <fieldset>
      <legend class="field-label">{pageTexts.channel.visibility}</legend>
      {offered.map(([kind, { label }], i) => (
        <label key={kind} class="choice">
          <input type="radio" name="visibility" value={kind} defaultChecked={i === 0} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** The visibility from a completed form, as parameters of `subscribe`. */
export const visibilityIn = (data: FormData) => kinds[data.get('visibility') as keyof typeof kinds].params
