// Packs, installs into an empty project, and tries the library, the command and the README.
import { checkCommand } from './command.ts'
import { checkLibrary } from './consumer.ts'
import { install } from './install.ts'
import { checkReadme } from './readme.ts'
import { checkRunners } from './runners.ts'

using installed = install()
checkLibrary(installed)
await checkCommand(installed)
checkRunners(installed)
await checkReadme(installed)
console.log('packed, installed, and used as a library, in tests, as a command and as the README says')
