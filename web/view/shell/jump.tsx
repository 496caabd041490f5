import { type Destination, destinations } from '../../model/navigation/destinations.ts'
import { current } from '../../model/state/account.ts'
import { go } from '../../model/state/route.ts'
import { texts } from '../../texts/texts.ts'
import { closeDialog, openDialog } from '../parts/dialog.tsx'
import { Finder } from '../parts/finder.tsx'

/** Opens any view, stream or user by a part of its name. */
export function openJump(): void {
  openDialog(
    texts.shell.jumpTitle,
    <Finder<Destination>
      label={texts.shell.jumpLabel}
      placeholder={texts.shell.jumpPlaceholder}
      find={(query) => destinations(current.value, query)}
      choose={({ key }) => {
        closeDialog()
        go(key)
      }}
    />,
  )
}
