import { signal } from '@preact/signals'

const PEOPLE = 'hide-people'
const LIST = 'hide-list'
/** Where there is no room for a third column, as the stylesheet has it. */
const NARROW = '(max-width: 1050px)'
const people = signal(localStorage.getItem(PEOPLE) === null)
const list = signal(localStorage.getItem(LIST) === null)
/** Which list is open over the page where there is no room for it beside. */
const drawer = signal<'left' | 'people' | ''>('')

function remember(name: string, isShown: boolean): void {
  if (isShown) localStorage.removeItem(name)
  else localStorage.setItem(name, 'yes')
}

/** What of the page's columns is shown. */
export const layout = {
  people,
  /** The conversations at the left. On a phone they are a drawer. */
  list,
  drawer,
  togglePeople(): void {
    if (matchMedia(NARROW).matches) {
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
