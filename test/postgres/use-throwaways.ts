/** What would be a database in memory is one of the server at DATABASE_URL. */
import { throwaway } from '../../src/storage/open-store.ts'
import { throwawaysOn } from './throwaway.ts'

throwaway.open = throwawaysOn(process.env.DATABASE_URL!).open
