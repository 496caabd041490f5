import { composerOf, editQuotes } from '../../model/writing/compose.ts'
import { firstWords } from '../../model/writing/first-words.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { jump } from '../content/jump-to-quoted.ts'
import { isOwn } from '../content/sanitize.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { useSession } from '../session-context.ts'
import { removeQuote } from './remove-quote.ts'

/** The messages that the text replies to, which are quotes in its Markdown. */
export function QuoteCards() {
  const session = useSession()
  const { focusRequests, quotes } = composerOf(session)
  if (quotes.value.length === 0) return null
  const focusText = () => {
    focusRequests.value += 1
  }
  return (
    <ul class="quotes" aria-label={pieceTexts.quotes.label}>
      {quotes.value.map(([quote, who = '', url = '', , words = '']) => {
        const name = who.replace(/\|\d+$/, '')
        return (
          <li key={quote} class="quote-card">
            <p class="quote-head">
              <bdi class="name">{name}</bdi>
              {isOwn(url) && (
                <a href={new URL(url, location.href).hash} onClick={(event) => jump(session, event)}>
                  {texts.message.goToQuoted}
                </a>
              )}
            </p>
            <p class="words" dir="auto">
              {firstWords(words)}
            </p>
            <IconButton
              icon="pencil"
              label={pieceTexts.quotes.edit}
              onClick={() => {
                editQuotes(session)
                focusText()
              }}
            />
            <IconButton
              icon="close"
              label={pieceTexts.quotes.remove(name)}
              onClick={() => {
                removeQuote(session, quote)
                focusText()
              }}
            />
          </li>
        )
      })}
    </ul>
  )
}
