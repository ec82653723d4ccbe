/** Texts of the pages about integrations. */
export const integrations = {
  'integrations.title': 'Integrations',
  'integrations.lede': 'Services whose webhooks become messages here.',
  'integrations.none': 'No such integration',
  'integrations.bot':
    'Create a bot of the type incoming webhook in the settings. Its key and the channel are part of the address.',
  'integrations.follows': 'Follows: {link}',
  'integrations.options': 'Options of the address',
  'integrations.events': 'Events',
  'integrations.said': 'What is said',
  'integrations.all': 'All integrations',
  'integrations.code': 'Code',
  'integrations.builds': 'Builds and deployments',
  'integrations.monitoring': 'Monitoring',
  'integrations.projects': 'Projects',
  'integrations.customers': 'Customers',
  'integrations.money': 'Money',
  'integrations.communication': 'Communication',
  'integrations.other': 'Other',
} as const;
