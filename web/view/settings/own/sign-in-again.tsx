import { pageTexts } from '../../../texts/page-texts.ts'
import { useAnswer } from '../use-answer.ts'

/** How people confirm whose account has neither a password nor a second factor: with the provider that signs them in. */
export function SignInAgain() {
  const { answer } = useAnswer((client) => client.getServerSettings())
  const next = encodeURIComponent(`${location.pathname}${location.hash}`)
  return (
    <>
      <p class="quiet small">{pageTexts.passkeys.signInAgain}</p>
      <p class="buttons">
        {answer.value?.external_authentication_methods.map(({ name, display_name, login_url }) => (
          <a key={name} class="button" href={`${login_url}?next=${next}`}>
            {display_name}
          </a>
        ))}
      </p>
    </>
  )
}
