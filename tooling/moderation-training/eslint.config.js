import preset from '@modelwire/eslint';

export default preset();
