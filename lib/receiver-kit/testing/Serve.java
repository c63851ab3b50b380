import java.io.File;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What Spring Boot sets up around the kit's controller: Spring's dispatcher in a Tomcat. Debian has no Spring Boot. */
class Serve {
  public static void main(String[] args) throws Exception {
    StaticWebApplicationContext spring = new StaticWebApplicationContext();
    spring.registerSingleton("mapping", RequestMappingHandlerMapping.class);
    spring.registerSingleton("adapter", RequestMappingHandlerAdapter.class);
    spring.registerSingleton("pix", PixController.class);

    String folder = new File(args[0]).getAbsolutePath();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder);
    tomcat.setPort(Integer.parseInt(System.getenv("PORT")));
    var web = tomcat.addContext("", folder);
    Tomcat.addServlet(web, "spring", new DispatcherServlet(spring)).setLoadOnStartup(1);
    web.addServletMappingDecoded("/", "spring");
    tomcat.getConnector();
    tomcat.start();
    tomcat.getServer().await();
  }
}
