import { signal } from '@preact/signals'
import { browserStorage } from '../../model/persistence/browser-storage.ts'

const PEOPLE = 'hide-people'
const LIST = 'hide-list'
/** Without space for a third column, as in the stylesheet. */
const NARROW = '(max-width: 65.625em)'
const PHONE = '(max-width: 43.75em)'
const people = signal(browserStorage().getItem(PEOPLE) === null)
const list = signal(browserStorage().getItem(LIST) === null)
/** Whether the account wants users below the conversations if there is no third column. */
const peopleAtLeft = signal(false)
/** Which list is open over the page if there is no space beside it. */
const drawer = signal<'left' | 'people' | ''>('')

/** Whether the user list is beside the page instead of over it. */
const havePlace = (): boolean =>
  !matchMedia(NARROW).matches || (peopleAtLeft.value && list.value && !matchMedia(PHONE).matches)

function remember(name: string, isShown: boolean): void {
  if (isShown) browserStorage().removeItem(name)
  else browserStorage().setItem(name, 'yes')
}

/** Which columns of the page are visible. */
export const layout = {
  people,
  /** The conversations on the left; on phones a drawer. */
  list,
  peopleAtLeft,
  drawer,
  isPeopleShown: (): boolean => (havePlace() ? people.value : drawer.value === 'people'),
  togglePeople(): void {
    if (!havePlace()) {
      layout.toggleDrawer('people')
      return
    }
    people.value = !people.value
    remember(PEOPLE, people.value)
  },
  toggleList(): void {
    list.value = !list.value
    remember(LIST, list.value)
  },
  toggleDrawer(which: 'left' | 'people'): void {
    if (which === 'people') people.value = true
    drawer.value = drawer.value === which ? '' : which
  },
  closeDrawer(): void {
    drawer.value = ''
  },
}
