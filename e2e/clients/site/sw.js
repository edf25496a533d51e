self.onfetch = () => {};
