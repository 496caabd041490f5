/** Loaded when somebody writes. */

export { isEmojiLoaded } from '../../model/writing/emoji.ts'
export { suggest } from '../../model/writing/typeahead.ts'
export { chooseByKey } from '../parts/choose-by-key.ts'
export { TypeaheadList } from './typeahead-list.tsx'
