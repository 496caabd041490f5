import { signal } from '@preact/signals'
import { browserStorage } from '../../model/persistence/browser-storage.ts'
import { perSession } from '../../model/state/session.ts'

const PEOPLE = 'hide-people'
const LIST = 'hide-list'
/** Without space for a third column, as in the stylesheet. */
const NARROW = '(max-width: 65.625em)'
const PHONE = '(max-width: 43.75em)'

/** Which columns of the page are visible. */
export const layoutOf = perSession((session) => {
  const people = signal(browserStorage().getItem(PEOPLE) === null)
  /** The conversations on the left; on phones a drawer. */
  const list = signal(browserStorage().getItem(LIST) === null)
  /** Which list is open over the page if there is no space beside it. */
  const drawer = signal<'left' | 'people' | ''>('')
  /** Whether the account wants users below the conversations if there is no third column. */
  const arePeopleAtLeft = (): boolean => session.read('settings').user_settings.left_side_userlist && list.value
  /** Whether the user list is beside the page instead of over it. */
  const havePlace = (): boolean => !matchMedia(NARROW).matches || (arePeopleAtLeft() && !matchMedia(PHONE).matches)
  const toggleDrawer = (which: 'left' | 'people'): void => {
    if (which === 'people') people.value = true
    drawer.value = drawer.value === which ? '' : which
  }
  return {
    people,
    list,
    drawer,
    arePeopleAtLeft,
    isPeopleShown: (): boolean => (havePlace() ? people.value : drawer.value === 'people'),
    togglePeople(): void {
      if (!havePlace()) {
        toggleDrawer('people')
        return
      }
      people.value = !people.value
      remember(PEOPLE, people.value)
    },
    toggleList(): void {
      list.value = !list.value
      remember(LIST, list.value)
    },
    toggleDrawer,
    closeDrawer(): void {
      drawer.value = ''
    },
  }
})

function remember(name: string, isShown: boolean): void {
  if (isShown) browserStorage().removeItem(name)
  else browserStorage().setItem(name, 'yes')
}
