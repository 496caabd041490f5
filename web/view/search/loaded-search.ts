/** Loaded when somebody searches. */

export { searchProblem } from '../../model/search/search-problem.ts'
export { suggestSearch } from '../../model/search/suggestions.ts'
export { ChoiceList } from '../parts/choice-list.tsx'
export { chooseByKey } from '../parts/choose-by-key.ts'
