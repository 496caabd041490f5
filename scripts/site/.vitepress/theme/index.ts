import DefaultTheme from 'vitepress/theme'
import ApiOperation from './ApiOperation.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('ApiOperation', ApiOperation)
  },
}
